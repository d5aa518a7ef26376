import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isLinearRegex } from '../../src/keep/is-linear-regex.ts';
import { testRegex, withRegexDeadline } from '../../src/match/test-regex.ts';

/** Undefined when it had to be ended: on the ordinary engine these would take longer than the age of the universe. */
const testAlone = (source: string, text: string): string | undefined => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'test-regex-once.ts'), source, text],
    { env: { HOME: tmpdir() }, encoding: 'utf8', timeout: 10_000 },
  );
  return status === 0 ? stdout : undefined;
};

describe('the regex of a lesson', () => {
  for (const source of ['^(a+)+$', '(a|aa)+$', '(a*)*b', '^(?:[a-z]*)*\\d$']) {
    it(`returns at once where backtracking would not: ${source}`, () => {
      assert.ok(isLinearRegex(source));
      assert.equal(testAlone(source, `${'a'.repeat(50)}!`), 'false');
    });
  }

  for (const source of ['^(?=(a+)+$)a', '^(a+)+\\1$', '^(a|a?)+\\1$', '^(?!(a+)+$)a{1,2000}$']) {
    it(`never holds when the linear engine does not take it, and returns at once: ${source}`, () => {
      assert.ok(!isLinearRegex(source));
      assert.equal(testAlone(source, `${'a'.repeat(50)}!`), 'false');
      assert.equal(testAlone(source, 'aa'), 'false');
    });
  }

  it('begins no more on long texts when it is late', () => {
    const text = 'x'.repeat(5000);
    assert.ok(
      withRegexDeadline(
        () => false,
        () => testRegex('xx', text),
      ),
    );
    assert.ok(
      !withRegexDeadline(
        () => true,
        () => testRegex('xx', text),
      ),
    );
    assert.ok(testRegex('xx', text));
  });

  it('holds and fails like any regex', () => {
    assert.ok(testRegex('a.c', 'xabc'));
    assert.ok(!testRegex('^a.c', 'xabc'));
    assert.ok(!testRegex('ABC', 'abc'));
  });

  it('looks at no more than the first 64 KiB', () => {
    assert.ok(testRegex('needle', `${'x'.repeat(60_000)}needle`));
    assert.ok(!testRegex('needle', `${'x'.repeat(70_000)}needle`));
  });

  it('never throws, whatever the source is', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (source, text) => typeof testRegex(source, text) === 'boolean'));
  });

  it('agrees with the language for any regex and text', () => {
    const piece = fc.constantFrom(
      'ab',
      'c',
      '-',
      '\\.',
      '\\d',
      'a?',
      'b*',
      'c+',
      'd{0,1}',
      '(ab)?',
      '(?:a|b)',
      '[a|b]',
      '^',
      '$',
      '|',
      '.',
    );
    const source = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '-', '.', '1', '|'), { maxLength: 8 });
    fc.assert(
      fc.property(source, text, (regex, chars) =>
        assert.equal(testRegex(regex, chars.join('')), new RegExp(regex).test(chars.join(''))),
      ),
      { numRuns: 2000 },
    );
  });

  it('gives the same answer every time', () => {
    for (let i = 0; i < 3; i++) assert.ok(testRegex('x', 'axa'));
  });
});
