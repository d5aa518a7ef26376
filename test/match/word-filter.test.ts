import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeWordFilter, mayHold, toWord } from '../../src/match/open-index.ts';

describe('the filter of words', () => {
  it('lets every word through that it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 300, size: 'max' }), (words) => {
        const filter = makeWordFilter(words);
        for (const word of words) assert.ok(mayHold(filter, toWord(word)), JSON.stringify(word));
      }),
    );
  });

  it('knows a word in the middle of a text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, word, after) => {
        const filter = makeWordFilter(Array.from({ length: 50 }, (_, n) => word + n).concat(word));
        assert.ok(mayHold(filter, toWord(before + word + after, before.length, before.length + word.length)));
      }),
    );
  });

  it('stops nearly all others, of few words and of many', () => {
    for (const count of [1, 10, 100, 10_000]) {
      const filter = makeWordFilter(Array.from({ length: count }, (_, n) => `--word-${n}`));
      const passed = Array.from({ length: 10_000 }, (_, n) => `--other-${n}`).filter((one) =>
        mayHold(filter, toWord(one)),
      );
      assert.ok(passed.length < 500, `${passed.length} of 10,000 pass ${count} words`);
    }
  });
});
