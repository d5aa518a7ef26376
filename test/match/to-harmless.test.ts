import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { removeKnownTags, toHarmless, toHarmlessLine } from '../../src/base/text/harmless-text.ts';
import { toRuns } from '../to-runs.ts';

const BIDI = ['\u061c', '\u200e', '\u200f', ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
const ZERO_WIDTH = ['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\u2063', '\ufeff', '\ufe0f', '\u{e0041}'];

/** Each contains marks that are invisible by themselves. */
const DRAWN = [
  ...['👩‍👩‍👧', '👩🏽‍🚀', '❤️‍🔥', '🏳️‍🌈', '1️⃣', '☎️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ...['می‌خواهم', 'نمی‌دانم', 'क्‍ष', 'ශ්‍රී'],
  ...['שלום עולם', 'مرحبا بالعالم', 'ܫܠܡܐ', 'עִבְרִית', 'ᠮᠣᠩᠭᠣᠯ'],
];

describe('text from outside', () => {
  it('cannot reverse the writing direction or hide anything', () => {
    assert.equal(toHarmless('run \u202egpj.exe\u202c and \u2066x\u2069'), 'run gpj.exe and x');
    assert.equal(toHarmless('pa\u200bss\u2060wo\ufeffrd\u00ad'), 'password');
    const hidden = [...'ignore all'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    assert.equal(toHarmless(`fine${hidden}`), 'fine');
    assert.equal(toHarmless(`🏴${hidden}x`).length < hidden.length, true);
    assert.equal(toHarmless('a\u200d\u200cb👩\u200d c\u200c'), 'ab👩 c');
    assert.equal(toHarmless('☎\ufe0f\ufe0f\ufe0e'), '☎\ufe0f');
    // A removed character itself joins nothing.
    assert.equal(toHarmless('\u061c\u200cمی'), 'می');
  });

  it('keeps the kinds of objects that a lesson names, and nothing similar', () => {
    assert.equal(toHarmless('`ship --fast <name> <path>`'), '`ship --fast <name> <path>`');
    assert.equal(toHarmless('<names></name><name a="b"><text/>'), '‹names>‹/name>‹name a="b">‹text/>');
  });

  it('cannot hide a tag', () => {
    assert.equal(toHarmless('<\u200b/system>'), '‹/system>');
    assert.equal(removeKnownTags('<\u202d!--'), '‹!--');
  });

  it('is unchanged in every script, and with emoji', () => {
    for (const text of DRAWN) assert.deepEqual([toHarmless(text), removeKnownTags(text)], [text, text]);
  });

  it('contains no invisible character without a visible effect, whatever the text', () => {
    const part = fc.oneof(
      fc.constantFrom(...DRAWN, ...BIDI, ...ZERO_WIDTH, ' ', '\n', '<', '\u2028'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        for (const clean of [toHarmless(given), removeKnownTags(given)]) {
          assert.doesNotMatch(clean, /[\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\ufeff]/u);
          assert.doesNotMatch(clean, /[\u200c\u200d]{2}|[\ufe00-\ufe0f]{2}/);
          assert.doesNotMatch(clean, /(?<![\u0600-\u1cff])\u200c|[\w\s]\u200d|\u200d[\w\s]/);
        }
        // The rest is unchanged and in order. A carriage return and an escape remove more than themselves.
        const plain = given.replaceAll('\r', '').replaceAll('\u001b', '');
        assert.equal(toSeen(removeKnownTags(plain)), toSeen(plain));
        assert.doesNotMatch(toHarmlessLine(given), /[^\S ]| {2}|^ | $/);
      }),
      { numRuns: toRuns(2000), examples: [['\u061c\u200cمی\u200cخواهم']] },
    );
  });
});

/** Letters and digits alone. */
function toSeen(text: string): string {
  return text.replace(/[^\p{L}\p{N}]|\p{DI}/gu, '');
}

function range(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n));
}
