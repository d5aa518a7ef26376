import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasClosedQuotes, toShortChars, toShortText } from '../../src/base/text/short-text.ts';
import { toRuns } from '../to-runs.ts';

describe('a text that is too long', () => {
  it('ends after a whole word, outside quotes, code and brackets', () => {
    assert.equal(toShortChars('run the tests first', 12), 'run the …');
    assert.equal(toShortChars('first run `npm ci --omit dev` then go', 25), 'first run …');
    assert.equal(toShortChars('it said "no such file" and ended', 20), 'it said …');
    assert.equal(toShortChars("don't use 'a b c' for it", 16), "don't use …");
    assert.equal(toShortChars('use it (see the docs for more) always', 20), 'use it …');
    assert.equal(toShortChars('先に依存関係を入れる', 6), '先に依存 …');
  });

  it('becomes empty if not even one word is short enough', () => {
    assert.equal(toShortChars('x'.repeat(50), 20), '');
    assert.equal(toShortChars('`a whole command that is long`', 20), '');
  });

  it('stays as it is if it fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(toShortChars(text, 1e6), text.trimEnd())),
    );
  });

  it('never ends inside a word, a quote or a character, and never exceeds its bytes', () => {
    const word = fc.oneof(
      fc.constantFrom(
        '`gh pr',
        'diff`',
        '"a',
        'b"',
        "it's",
        "'x",
        "y'",
        '(see',
        'this)',
        '😀',
        'é',
        'token',
        '--flag',
        '先に',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    );
    const texts = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(texts, fc.nat(120), (text, room) => {
        const short = toShortText(text, (one) => Buffer.byteLength(one) <= room);
        assert.ok(short === '' || Buffer.byteLength(short) <= room);
        if (short === '' || short === text.trimEnd()) return;
        assert.ok(short.endsWith(' …') && short.isWellFormed());
        const kept = short.slice(0, -2);
        assert.ok(hasClosedQuotes(kept), kept);
        assert.ok(text.startsWith(kept));
        // What follows begins another word, or a character of a script without spaces.
        assert.ok(/^[\s,:;⺀-鿿가-힯]/.test(text.slice(kept.length)) || /[⺀-鿿가-힯]$/.test(kept), text);
      }),
      { numRuns: toRuns(2000) },
    );
  });
});
