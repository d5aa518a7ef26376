import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findRegex, testRegex, withRegexDeadline } from '../../src/base/triggers/regex.ts';
import { isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { assertLinear } from '../measure-cpu.ts';
import { toRuns } from '../to-runs.ts';

/** Undefined if it had to be killed: on the ordinary engine these would run for ages. */
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
    it(`never matches if the linear engine rejects it, and returns at once: ${source}`, () => {
      assert.ok(!isLinearRegex(source));
      assert.equal(testAlone(source, `${'a'.repeat(50)}!`), 'false');
      assert.equal(testAlone(source, 'aa'), 'false');
    });
  }

  const base64 = Buffer.from('the same text, again and again, ').toString('base64');
  for (const [source, text] of [
    ['\\w+@\\w+\\.com', `${base64.repeat(1400)}.com @`],
    ['\\w+@\\w+\\.com', `${'a'.repeat(60_000)}.com`],
    ['\\w+\\s+rm -rf', `${'a'.repeat(60_000)}rm -rf`],
    ['git .*push', `push${'git '.repeat(16_000)}`],
    ['[^!]+!!', `!!${'a'.repeat(60_000)}`],
    ['a.*b.*c.*d$', 'abcd '.repeat(12_000)],
    ['a.*b.*c.*d$', 'abcd '.repeat(200)],
    ['\\w*'.repeat(40).concat('\\s!'), `!${'a'.repeat(60_000)}`],
    ['(?:a|ab|abc|b|bc|c)'.repeat(10).concat('!'), `!${'abc'.repeat(20_000)}`],
    ['a(?:a?){9}!b', `!b${'a'.repeat(60_000)}`],
  ] as const) {
    it(`ends soon on a long text, wherever it starts again: ${source.slice(0, 30)} on ${text.slice(0, 10)}…`, () => {
      // Both ends stay, because they keep a pattern from being given up at once.
      const toLength = (length: number) => text.slice(0, length - 10) + text.slice(-10);
      assertLinear((length) => assert.ok(!testRegex(source, toLength(length))), text.length / 4);
    });
  }

  it('searches less of a text the more alternatives it has at each character', () => {
    const late = (source: string, chars: number): boolean => testRegex(source, `${'x'.repeat(chars)}needle`);
    assert.ok(late('x+needle', 60_000));
    assert.ok(late('needle(?:a|b|c)?', 40_000));
    assert.ok(!late(`^${'x*'.repeat(80)}needle`, 60_000));
    assert.ok(late(`^${'x*'.repeat(80)}needle`, 2000));
  });

  it('searches around its required text, and all of a text if it has no alternatives', () => {
    const late = (source: string, text: string): boolean => testRegex(source, `${'x'.repeat(50_000)}${text}`);
    assert.ok(late(`${'x*'.repeat(80)}needle`, 'needle'));
    assert.ok(late('log\\(.*(?:password|secret|token|key|pass|auth)', ' log(my password)'));
    assert.ok(late('AKIA[0-9A-Z]{16}', ' AKIAABCDEFGHIJKLMNOP'));
    assert.equal(findRegex('b+c', `${'a'.repeat(2_000)}bbc`, 0), 2_000);
  });

  it('does not start on long texts after the deadline', () => {
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

  it('matches and fails like any regex', () => {
    assert.ok(testRegex('a.c', 'xabc'));
    assert.ok(!testRegex('^a.c', 'xabc'));
    assert.ok(!testRegex('ABC', 'abc'));
  });

  it('searches no more than the first 64 KiB', () => {
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
      { numRuns: toRuns(2000) },
    );
  });

  it('finds the same position on either engine, from any start', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'ab',
      ' ',
      '-',
      '\\.',
      '\\d',
      '\\w',
      '\\s',
      '\\S',
      '[ab]',
      '[^a]',
      '.',
      '\\n',
    );
    const edge = fc.constantFrom('^', '$', '\\b', '\\B', '|');
    const count = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '{2}', '{1,3}', '{2,}');
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(atom, count).map((parts) => parts.join('')) },
      { weight: 1, arbitrary: fc.tuple(atom, count, atom, count).map(([a, n, b, m]) => `(?:${a}${n}|${b})${m}`) },
      { weight: 1, arbitrary: fc.tuple(atom, count, atom).map(([a, n, b]) => `(${a}${n}${b})`) },
      edge,
    );
    const regex = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const char = fc.constantFrom('a', 'b', ' ', '-', '.', '1', '\n', 'é');
    const text = fc
      .tuple(fc.array(char, { minLength: 1, maxLength: 12 }), fc.array(char, { maxLength: 40 }), fc.nat(2))
      .map(([unit, rest, before]) => {
        const long = unit.join('').repeat(Math.ceil(260 / unit.length));
        return before === 0
          ? long + rest.join('')
          : before === 1
            ? rest.join('') + long
            : rest.join('').concat(long, 'ab-1');
      });
    let [compared, found] = [0, 0];
    fc.assert(
      fc.property(regex, text, fc.nat(400), (source, long, from) => {
        fc.pre(isLinearRegex(source));
        const ordinary = new RegExp(source, 'g');
        ordinary.lastIndex = from;
        const expected = ordinary.exec(long)?.index ?? -1;
        compared++;
        if (expected >= 0) found++;
        assert.equal(findRegex(source, long, from), expected);
        assert.equal(findRegex(source, long.slice(-200), 0), new RegExp(source).exec(long.slice(-200))?.index ?? -1);
      }),
      { numRuns: toRuns(3000) },
    );
    assert.ok(
      compared > toRuns(2000) && found > toRuns(500) && found < compared - toRuns(500),
      `${found} of ${compared}`,
    );
  });

  it('gives the same answer every time', () => {
    for (let i = 0; i < 3; i++) assert.ok(testRegex('x', 'axa'));
  });
});
