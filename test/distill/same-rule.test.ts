import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toMergeKey } from '../../src/distill/lessons/hash-lesson.ts';
import { isSameRule } from '../../src/distill/lessons/same-rule.ts';
import { refusedCall } from '../../src/distill/propose/user-words/refused-call.ts';
import { denied, detectWith } from './detect-pairs.ts';
import { worked } from './session-script.ts';

function refuse(command: string, words: string) {
  const [finding] = detectWith(refusedCall, denied(command, words), worked('git status'));
  assert.ok(finding, words);
  return finding;
}

const COMMIT = 'git commit -m "x"';
const NO_COMMIT = refuse(COMMIT, 'no, I did not say commit anything');

describe('two refusals of the same command', () => {
  for (const words of ["don't commit anything", 'never do commits before I say so', 'please, never use git commit'])
    it(`are one rule if their words agree: ${words}`, () => {
      const other = refuse(COMMIT, words);
      assert.ok(isSameRule(NO_COMMIT, other) && isSameRule(other, NO_COMMIT));
    });

  for (const words of ['never rewind the branch to main', "don't sign with the old key", 'use the release template'])
    it(`are two rules if they do not: ${words}`, () => {
      const other = refuse(COMMIT, words);
      assert.ok(!isSameRule(NO_COMMIT, other) && !isSameRule(other, NO_COMMIT));
      assert.notEqual(toMergeKey(NO_COMMIT, 'prj_1'), toMergeKey(other, 'prj_1'));
    });

  it('are one if the words are the same', () => {
    const again = refuse('git commit --amend', 'no, I did not say commit anything');
    assert.equal(toMergeKey(NO_COMMIT, 'prj_1'), toMergeKey(again, 'prj_1'));
  });

  it('of other commands are two rules whatever the words', () => {
    assert.ok(!isSameRule(NO_COMMIT, refuse('git push origin main', 'no, I did not say commit anything')));
  });
});
