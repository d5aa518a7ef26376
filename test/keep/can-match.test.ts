import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canMatch, isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { toRuns } from '../to-runs.ts';

describe('whether any text can match', () => {
  const NEVER = ['a^b', '$a', 'a(?:^b|$c)', '[]', 'x[]|$y', '(?:^a){2}', '(?<n>a)$b', 'a+^', 'a$\\d', '(?:a[])+'];
  for (const source of NEVER)
    it(`is no for ${source}`, () => {
      assert.ok(isLinearRegex(source));
      assert.equal(canMatch(source), false);
    });

  const FINE = [
    '',
    'a',
    '^a$',
    '^$',
    'x*^a',
    '(?:$)?a',
    'a|[]',
    '(?:[])*',
    '[^]',
    '[\\]^$]a',
    '\\$a',
    '\\^',
    'a{0}^b',
    '\\b\\$',
  ];
  for (const source of FINE)
    it(`is yes for ${source || 'the empty pattern'}`, () => assert.equal(canMatch(source), true));

  it('is never no for a pattern that matches something', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '^',
      '$',
      '\\b',
      '[ab]',
      '[]',
      '.',
      '*',
      '+',
      '?',
      '{2}',
      '|',
      '(',
      '(?:',
      ')',
    );
    const anything = fc.array(fc.constantFrom('a', 'b', ' '), { maxLength: 4 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), fc.array(anything, { maxLength: 8 }), (pieces, texts) => {
        const source = pieces.join('');
        fc.pre(isLinearRegex(source));
        const regex = new RegExp(source);
        if (texts.some((text) => regex.test(text))) assert.equal(canMatch(source), true, source);
      }),
      { numRuns: toRuns(2_000) },
    );
  });
});
