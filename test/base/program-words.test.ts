import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCommand } from '../../src/base/parse-command.ts';
import { hasWord } from '../../src/base/program-words.ts';

const CASES: readonly (readonly [line: string, wanted: string, has: boolean])[] = [
  ['gh pr diff 7 --stat', '--stat', true],
  ['gh pr diff 7 --stat=40', '--stat', true],
  ['gh pr diff 7 --statistics', '--stat', false],
  ['gh pr diff 7 "--stat"', '--stat', true],
  ['gh pr create --body "--stat"', '--stat', false],
  ["git commit -m '--amend'", '--amend', false],
  ['git commit --message="x" "--amend"', '--amend', true],
  ['git log -- --stat', '--stat', false],
  ['git checkout -- file', '--', true],
  ['git checkout -- file', 'file', true],
  ['grep -rn -- --stat src', '--stat', false],
  ['npm test -- --watch', '--watch', true],
  ['cargo test -- --nocapture', '--nocapture', true],
  ['kubectl exec pod -- ls --color', '--color', false],
  ['gh pr', 'pr', true],
  ['gh pr', 'p', false],
];

describe('a word of a command', () => {
  for (const [line, wanted, has] of CASES) {
    it(`${has ? 'is' : 'is not'} there: ${wanted} in ${line}`, () => {
      const [command] = parseCommand(line);
      assert.ok(command);
      assert.equal(hasWord(command, wanted), has);
    });
  }
});
