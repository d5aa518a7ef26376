import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findLiteral } from '../../src/base/triggers/regex.ts';
import { toRuns } from '../to-runs.ts';

const CASES: readonly (readonly [source: string, literal: string])[] = [
  ['legacy-endpoint-19(/|$)', 'legacy-endpoint-19'],
  ['^(?:.*/)?generated/(?:.*/)?[^/]*\\.ts$', 'generated/'],
  ['\\bnpm\\s+test\\b', 'test'],
  ['ab?c', 'a'],
  ['ab+c', 'ab'],
  ['[a|b]cd', 'cd'],
  ['\\d{2,3}foo', 'foo'],
  ['a|b', ''],
  ['\\u0041bc', ''],
  ['a{b}cd', ''],
];

describe('the literal of a regex', () => {
  for (const [source, literal] of CASES) {
    it(`of ${source} is "${literal}"`, () => assert.equal(findLiteral(source), literal));
  }

  it('is in every text that the regex matches', () => {
    const atoms = [
      'a',
      'b',
      '\\.',
      '.',
      '\\d',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab)',
      '(a[)])',
      '[\\]]',
      '^',
      '$',
      '|',
      '{',
      '}',
    ];
    const counts = ['', '', '', '?', '*', '+', '{2}', '{0,1}', '{0}', '*?'];
    const part = fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...counts)).map((pair) => pair.join(''));
    const source = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom(...'ab.1)]{}'), maxLength: 14 });
    fc.assert(
      fc.property(source, text, (pattern, given) => {
        if (isMatch(pattern, given)) assert.ok(given.includes(findLiteral(pattern)));
      }),
      { numRuns: toRuns(20_000) },
    );
  });
});

function isMatch(source: string, text: string): boolean {
  try {
    return new RegExp(source).test(text);
  } catch {
    return false;
  }
}
