import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cutWindow, WINDOW_CHARS } from '../../src/capture/secrets/clean-texts.ts';
import type { LintRule } from '../../src/capture/secrets/scan-secrets.ts';
import { makeSecretScan, UNSCANNED } from '../../src/capture/secrets/scan-secrets.ts';
import { toRuns } from '../to-runs.ts';

const ROOT = join(import.meta.dirname, '../..');
/** From the provider's form, never issued. */
const GROQ = `gsk_${'Zq8Rt2'.repeat(9).slice(0, 52)}`;
const AWS = 'Zq8Rt2wL5mXc9Vb3Nn7Kk1Jj4Hh6Gg0Ff2Dd5Ss8';

const fail = (line: string): void => assert.fail(line);

describe('the scanner', () => {
  const scan = makeSecretScan({ log: fail });

  it('replaces its findings by the name of the rule, and nothing else, in every one of many texts', async () => {
    const word = fc.string({ unit: fc.constantFrom(...'abc xyz.=:/"\'\n-_'), maxLength: 60 });
    const texts = fc.array(fc.tuple(word, fc.boolean(), word), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(texts, async (parts) => {
        const given = parts.map(([head, has, tail]) => (has ? `${head} ${GROQ} ${tail}` : head + tail));
        const wanted = parts.map(([head, has, tail]) => (has ? `${head} [redacted:groq] ${tail}` : head + tail));
        assert.deepEqual(await scan(given), wanted);
      }),
    );
  });

  it("removes the whole secret if the rule's range ends too early", async () => {
    assert.deepEqual(await scan([`export AWS_SECRET_ACCESS_KEY=${AWS} x`]), ['export [redacted:aws] x']);
  });

  it('cannot be disabled by the text', async () => {
    for (const comment of ['secretlint-disable', 'secretlint-disable-line', 'secretlint-disable-next-line'])
      assert.deepEqual(await scan([`// ${comment}\n${GROQ} // ${comment}`]), [
        `// ${comment}\n[redacted:groq] // ${comment}`,
      ]);
  });

  it('finds a token after an escaped newline and after a colour', async () => {
    const coloured = `\u001b[32m${GROQ}\u001b[0m`;
    assert.deepEqual(await scan([`{"a":"x\\n${GROQ}"}`, coloured]), [
      '{"a":"x\\n[redacted:groq]"}',
      '\u001b[32m[redacted:groq]\u001b[0m',
    ]);
  });

  it('does not take our own marker for a user and a password', async () => {
    const text = 'mongodb://[redacted:url-credentials]@db.example.com/shop';
    assert.deepEqual(await scan([text]), [text]);
  });
});

describe('a scanner that fails', () => {
  const lines: string[] = [];
  const log = (line: string): number => lines.push(line);
  const fragile: LintRule = {
    meta: { id: 'x-rule-fragile' },
    create: (context) => ({
      file({ content }) {
        if (content.includes('boom')) throw new RangeError(`cannot read ${content}`);
        const start = content.indexOf('s3cret');
        if (start >= 0) context.report({ message: {}, range: [start, start + 6] });
      },
    }),
  };

  it('drops the text it failed on, and continues with the others', async () => {
    lines.length = 0;
    const scan = makeSecretScan({ log, load: async () => [fragile] });
    const scanned = await scan(['one s3cret', 'boom hunter2', 'two']);
    assert.deepEqual(scanned, ['one [redacted:fragile]', UNSCANNED, 'two']);
    assert.equal(lines.length, 1);
    assert.doesNotMatch(lines.join(), /hunter2|boom/);
    assert.match(lines.join(), /RangeError/);
  });

  it('drops all texts without its rules', async () => {
    lines.length = 0;
    const scan = makeSecretScan({ log, load: () => Promise.reject(new Error('no such file')) });
    assert.deepEqual(await scan(['a hunter2', 'b']), [UNSCANNED, UNSCANNED]);
    assert.ok(lines.length > 0);
  });
});

describe('the window', () => {
  it('does not change a text that fits', () => {
    const text = 'x '.repeat(WINDOW_CHARS);
    assert.equal(cutWindow(text), text);
  });

  it('keeps both ends and whole words only, whatever the text', () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9]{1,30}$/), { minLength: 2000, maxLength: 4000 });
    fc.assert(
      fc.property(words, (all) => {
        const text = all.join(' ').padEnd(2 * WINDOW_CHARS + 1, ' filler');
        const cut = cutWindow(text);
        assert.ok(cut.length <= 2 * WINDOW_CHARS + 40);
        const known = new Set(text.split(' '));
        for (const word of cut.replace(/\[….*?\]/, ' ').split(' ')) assert.ok(known.has(word) || word === '', word);
      }),
      { numRuns: toRuns(20) },
    );
  });

  it('drops a word that is longer than the window, with the secret in it', () => {
    const cut = cutWindow(`begin ${'A1b2'.repeat(3 * WINDOW_CHARS)} end`);
    assert.doesNotMatch(cut, /A1b2/);
    assert.match(cut, /^begin \[….*\] end$/);
  });

  it('distinguishes texts with the same ends', () => {
    const around = (middle: string) => cutWindow(`${'a '.repeat(WINDOW_CHARS)}${middle} ${'z '.repeat(WINDOW_CHARS)}`);
    assert.notEqual(around('one'), around('two'));
    assert.equal(around('one'), around('one'));
  });
});

describe('the rules of the scanner', () => {
  it('are those that were reviewed', () => {
    // Another version may report in another way: look at its rules (ranges, switches, files they read), then set this.
    const file = join(ROOT, 'node_modules/@secretlint/secretlint-rule-preset-recommend/module/index.js');
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
    assert.equal(
      hash,
      '7606f0952720d932',
      'secretlint was updated: run these tests, review its rules, and set the new hash',
    );
  });
});
