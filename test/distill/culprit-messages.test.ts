import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CULPRIT_HINT, CULPRIT_MESSAGES } from '../../src/distill/propose/rejected-words/culprit-messages.ts';

describe('messages that name a culprit', () => {
  it('each have one of the words by which lines are chosen', () => {
    // Their source has these words as they are: only quantifiers and groups stand between them.
    const missed = CULPRIT_MESSAGES.filter(({ pattern }) => !CULPRIT_HINT.test(pattern.source.replaceAll('\\\\', '')));
    assert.deepEqual(missed, []);
  });
});
