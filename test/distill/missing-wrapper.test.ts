import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingWrapper } from '../../src/distill/propose/commands/missing-wrapper.ts';
import { makeSigned, speaks } from './detect-pairs.ts';
import { failed, type Step, worked } from './session-script.ts';

const detect = (...steps: readonly Step[]) => missingWrapper.detect(makeSigned(steps));
const unfound = failed('timeout 60 make all', 'zsh: command not found: timeout', 127);

describe('a program that runs others and is not on the machine', () => {
  it('is left out, wherever a line begins with it', () => {
    const [finding] = detect(unfound, worked('make all'));
    assert.ok(finding, 'nothing was seen');
    assert.match(finding.remediation, /without `timeout`/);
    for (const command of ['timeout 5 ./serve', 'cd app && timeout 5 make all', 'DEBUG=1 timeout 9 go test ./...'])
      assert.ok(speaks(finding, command), `silent on ${command}`);
    for (const command of ['make all', 'curl --timeout 5 localhost', 'PATH=/opt/gnu/bin:$PATH; timeout 5 make'])
      assert.ok(!speaks(finding, command), `speaks on ${command}`);
  });

  it('teaches nothing if it was there for another call, or if no call ran the same without it', () => {
    assert.deepEqual(detect(worked('timeout 5 ls'), unfound, worked('make all')), []);
    assert.deepEqual(detect(unfound, worked('make one')), []);
    assert.deepEqual(
      detect(failed('timeout 60 make all', 'make: *** No rule to make target all.'), worked('make all')),
      [],
    );
  });
});
