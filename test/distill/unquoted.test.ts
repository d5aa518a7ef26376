import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import v8 from 'node:v8';
import fc from 'fast-check';
import { ANY_SHELL, parseCommand } from '../../src/base/shell/parse-command.ts';
import { toCommandStart, UNQUOTED } from '../../src/distill/propose/commands/unquoted.ts';

v8.setFlagsFromString('--enable-experimental-regexp-engine');
const starts = new RegExp(`${toCommandStart('sudo|time')}runme\\s`);
const stands = new RegExp(`${UNQUOTED}\\srunme(?:\\s|$)`);

describe('a place that is not inside quotes', () => {
  it('is told from one inside them, and from the text of a here-document', () => {
    for (const line of ['a runme', 'a "b c" runme', `a 'b "c' runme`, 'a \\" runme', 'a < b runme'])
      assert.ok(stands.test(line), line);
    for (const line of ['a "b runme c"', "a 'b runme c'", `a "it's runme here"`, 'a <<EOF\n runme\nEOF'])
      assert.ok(!stands.test(line), line);
  });

  it('is where a command begins behind what only leads to it', () => {
    for (const line of [
      'runme x',
      'a; runme x',
      'a && B="c d" runme x',
      'sudo time runme x',
      '(runme x)',
      'a\nrunme x',
    ])
      assert.ok(starts.test(line), line);
    for (const line of ['a runme x', 'a -m "b; runme x"', 'a=runme x', "echo 'a\nrunme x'", 'command -v runme x'])
      assert.ok(!starts.test(line), line);
  });

  it('agrees with the parser on any words in quotes', () => {
    const word = fc.stringMatching(/^[a-z ;&|()=]{0,12}$/);
    fc.assert(
      fc.property(word, word, fc.constantFrom('"', "'"), (a, b, quote) => {
        const line = `say ${quote}${a}runme ${b}${quote} end`;
        assert.ok(!parseCommand(line, ANY_SHELL).some(({ program }) => program === 'runme'));
        assert.ok(!starts.test(line), line);
      }),
    );
  });

  it('is looked for in linear time', () => {
    for (const source of [starts.source, stands.source]) assert.doesNotThrow(() => new RegExp(source, 'l').test(''));
  });
});
