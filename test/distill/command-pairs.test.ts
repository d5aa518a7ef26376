import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import v8 from 'node:v8';
import type { Detector } from '../../src/distill/detector.ts';
import { ignoredPath } from '../../src/distill/propose/paths/ignored-path.ts';
import { repair } from '../../src/distill/propose/repair/repair.ts';
import { detectAll, detectWith, speaks } from './detect-pairs.ts';
import { failed, other, worked } from './session-script.ts';

interface Pair {
  readonly detector: Detector;
  readonly wrong: string;
  readonly said: string;
  readonly right: string;
  readonly summary: RegExp;
  readonly speaks?: readonly string[];
  readonly silent?: readonly string[];
}

const PAIRS: readonly Pair[] = [
  {
    detector: ignoredPath,
    wrong: 'git add README.md build/cli/main.ts',
    said: 'The following paths are ignored by one of your .gitignore files:\nbuild/cli\nhint: Use -f if you really want to add them.',
    right: 'git add -f -- build/cli/main.ts',
    summary: /^git ignores `build\/cli`.*`-f`/,
    speaks: ['git add ./build/cli/other.ts', 'git status && git add build/cli'],
    silent: [
      'git add README.md',
      'git add build/client/x.ts',
      'git commit -m "build/cli"',
      'git add --force build/cli/x',
    ],
  },
  {
    detector: repair,
    wrong: 'psql shop -c "select 1"',
    said: 'psql: error: FATAL: role "root" does not exist',
    right: 'psql -U postgres shop -c "select 1"',
    summary: /: run `psql -U postgres <a …>` instead of `psql <a …>`$/,
    speaks: ['psql shop -c "select 2"'],
    silent: ['psql -U postgres shop', 'pg_dump shop'],
  },
];

describe('pairs of commands', () => {
  for (const { detector, wrong, said, right, summary, speaks: on = [], silent = [] } of PAIRS) {
    it(`${detector.name}: ${wrong.split('\n')[0]}`, () => {
      const [finding, ...more] = detectWith(detector, failed(wrong, said), worked('ls'), worked(right));
      assert.ok(finding, 'nothing was seen');
      assert.deepEqual(more, []);
      assert.match(finding.summary, summary);
      assert.equal(finding.fixingCallId, 'call-2');
      assert.ok(speaks(finding, wrong), 'silent on its own mistake');
      assert.ok(!speaks(finding, right), 'speaks on its own fix');
      for (const command of on) assert.ok(speaks(finding, command), `silent on ${command}`);
      for (const command of silent) assert.ok(!speaks(finding, command), `speaks on ${command}`);
    });

    it(`${detector.name} sees nothing where nothing was mended: ${wrong.split('\n')[0]}`, () => {
      assert.deepEqual(detectWith(detector, failed(wrong, said), worked('ls'), other('read', '/repo/a.ts')), []);
      assert.deepEqual(detectWith(detector, failed(wrong, 'connection refused'), worked(right)), []);
      assert.deepEqual(detectWith(detector, worked(wrong, said), worked(right)), []);
    });

    it(`${detector.name} asks for linear patterns only: ${wrong.split('\n')[0]}`, () => {
      v8.setFlagsFromString('--enable-experimental-regexp-engine');
      const [finding] = detectWith(detector, failed(wrong, said), worked(right));
      const { command, line } = finding?.triggers ?? {};
      for (const source of [...(command?.match ?? []), ...(line?.match ?? []), ...(line?.unless ?? [])])
        assert.doesNotThrow(() => new RegExp(source, 'l'));
    });
  }
});

describe('what only looks like a pair', () => {
  it('what forces waits for a person', () => {
    const said = 'error: failed to push some refs. Use --force to overwrite';
    const findings = detectAll(failed('git push', said), worked('git push --force'));
    for (const { caution } of findings) assert.match(caution ?? '', /forces/);
  });
});
