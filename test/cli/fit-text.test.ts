import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fitText } from '../../src/surfaces/cli/wrapping.ts';

const fit = (text: string, columns = 40) => fitText(text, columns).split('\n');

describe('a text for a terminal', () => {
  it('goes on below where a line is too long', () => {
    assert.deepEqual(fit('Of all that was seen nothing could be a lesson. Read more.'), [
      'Of all that was seen nothing could be a',
      'lesson. Read more.',
    ]);
    assert.deepEqual(fit('short\n\n  too'), ['short', '', '  too']);
  });

  it('goes on under the words, not under their label or mark', () => {
    assert.deepEqual(fit('  mistake     it is not on the PATH of this machine'), [
      '  mistake     it is not on the PATH of',
      '              this machine',
    ]);
    assert.deepEqual(fit('ok    store: whole, 23 of 23 migrations, 8 sessions'), [
      'ok    store: whole, 23 of 23 migrations,',
      '      8 sessions',
    ]);
    assert.deepEqual(fit('    - a refused call is known from the transcript only'), [
      '    - a refused call is known from the',
      '      transcript only',
    ]);
    assert.deepEqual(fit('      next: start it once, then run the command again'), [
      '      next: start it once, then run the',
      '        command again',
    ]);
  });

  it('keeps a command in one piece, wherever it stands', () => {
    const command = 'npm run -s oncebitten -- lessons edit some-slug --scope user';
    assert.deepEqual(fit(`It is true here only. Widen it: ${command}. Or not.`), [
      'It is true here only. Widen it:',
      `${command}.`,
      'Or not.',
    ]);
    const quoted = `oncebitten explain --input '{"command":"a; b, c. d"}'`;
    assert.deepEqual(fit(`  see one speak, and how it is said: ${quoted}`), [
      '  see one speak, and how it is said:',
      `    ${quoted}`,
    ]);
    assert.deepEqual(fit(`      ${command}`), [`      ${command}`]);
  });

  it('keeps code in backticks, a number with its unit and the lines of a diff in one piece', () => {
    assert.deepEqual(fit('It fails every time: use `gh pr diff 12 --name-only`'), [
      'It fails every time: use',
      '`gh pr diff 12 --name-only`',
    ]);
    assert.deepEqual(
      fit('right in all of these calls, at least 44 % of them')[0],
      'right in all of these calls, at least',
    );
    const diff = `+${'a line of a file '.repeat(5)}`;
    assert.deepEqual(fit(diff), [diff]);
  });

  it('loses no word, breaks none, and is wider only for what cannot be broken', () => {
    const word = fc.stringMatching(/^[a-z.,:;(){}'"-]{1,30}$/);
    const line = fc.tuple(fc.nat({ max: 12 }), fc.array(word, { maxLength: 30 })).map(([n, words]) => ({
      text: `${' '.repeat(n)}${words.join(' ')}`.trimEnd(),
    }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), fc.integer({ min: 40, max: 120 }), (lines, columns) => {
        const text = lines.map((one) => one.text).join('\n');
        const shown = fitText(text, columns);
        assert.deepEqual(shown.split(/\s+/), text.split(/\s+/));
        for (const one of shown.split('\n'))
          if (!/^[+-]|^@@|^ \S/.test(one)) assert.ok(one.length <= columns || !one.trim().includes(' '), one);
      }),
    );
  });
});
