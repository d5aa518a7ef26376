import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { codeEdit } from '../../src/distill/propose/commands/code-edit.ts';
import { detectWith } from './detect-pairs.ts';
import { failed, other, worked } from './session-script.ts';

const red = failed('go test ./cart', '--- FAIL: TestTotal (0.00s)\nFAIL');
const edit = other('edit', '/repo/cart/total.go');
const green = worked('go test ./cart', 'ok  \tshop/cart');

describe('code-edit', () => {
  it('sees a check that was red until code was changed', () => {
    const [finding, ...more] = detectWith(codeEdit, red, edit, green);
    assert.deepEqual(more, []);
    assert.deepEqual([finding?.kind, finding?.failingCallId, finding?.fixingCallId], ['code-edit', 'call-0', 'call-2']);
    assert.equal(finding?.summary, '`go test` was red until code was changed');
  });

  it('tells a cycle once, by its first red run', () => {
    const findings = detectWith(codeEdit, red, edit, red, edit, green, red, edit, green);
    assert.deepEqual(
      findings.map(({ failingCallId, fixingCallId }) => [failingCallId, fixingCallId]),
      [
        ['call-0', 'call-4'],
        ['call-5', 'call-7'],
      ],
    );
  });

  it('takes another run of the same kind of check for its end, however much it looks at', () => {
    assert.equal(detectWith(codeEdit, red, edit, worked('make test')).length, 1);
    assert.equal(detectWith(codeEdit, red, edit, worked('golangci-lint run')).length, 0);
  });

  it('says nothing without an edit, without a green run, or of a command that was wrong itself', () => {
    assert.deepEqual(detectWith(codeEdit, red, green), []);
    assert.deepEqual(detectWith(codeEdit, red, edit), []);
    assert.deepEqual(
      detectWith(codeEdit, failed('go test --fast', 'flag provided but not defined: -fast'), edit, green),
      [],
    );
    assert.deepEqual(
      detectWith(codeEdit, failed('cat a.txt', 'cat: a.txt: No such file'), edit, worked('cat a.txt')),
      [],
    );
  });

  it('never becomes a lesson about a command', () => {
    const [finding] = detectWith(codeEdit, red, edit, green);
    assert.ok(finding);
    assert.deepEqual(
      [gateFinding(finding, [], () => true).verdict, gateFinding(finding, [], () => true).reason],
      ['dropped', 'fixed by changing code, not the command'],
    );
  });
});
