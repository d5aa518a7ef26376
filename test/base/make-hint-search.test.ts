import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeHintSearch } from '../../src/base/text/hint-search.ts';
import { toRuns } from '../to-runs.ts';

describe('the search for hints', () => {
  it('finds the words of a text in any position', () => {
    const search = makeHintSearch({ exact: ['SK', '-us', 'AKIA'], anyCase: ['token', '://'] });
    assert.deepEqual([...search('AKIA then ToKeN and an SK')], ['AKIA', 'token', 'SK']);
    assert.deepEqual([...search('akia sk')], []);
    assert.deepEqual([...search('https://x')], ['://']);
    assert.deepEqual([...search('')], []);
  });

  it('finds exactly the words that a search for each word finds', () => {
    const letter = fc.constantFrom(...'abAB-_./:12~ \nä€😀');
    const word = fc.string({ unit: fc.constantFrom(...'ab-_./:12~'), minLength: 2, maxLength: 5 });
    const text = fc.string({ unit: letter, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.array(word, { maxLength: 6 }), text, (exact, anyCase, held) => {
        const found = makeHintSearch({ exact, anyCase })(held);
        const expected = [
          ...exact.filter((hint) => held.includes(hint)),
          ...anyCase.filter((hint) => held.toLowerCase().includes(hint)),
        ];
        assert.deepEqual([...found].sort(), [...new Set(expected)].sort());
      }),
      { numRuns: toRuns(2000) },
    );
  });
});
