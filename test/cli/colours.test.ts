import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripAnsi } from '../../src/base/text/strip-ansi.ts';
import { colourText, mayColour } from '../../src/surfaces/cli/colours.ts';

const REPORT = `Your agents failed 3 calls.

Repeated failures
   1. tsc: command not found
      3 times; no lesson
  list them: oncebitten sessions failures

NAME  STATUS
tsc   active
`;

describe('colours', () => {
  it('change no word', () => assert.equal(stripAnsi(colourText(REPORT)), REPORT));

  it('mark headings, failures and commands, and leave sentences alone', () => {
    const painted = colourText(REPORT)
      .split('\n')
      .filter((line) => line.includes('\x1b['))
      .map((line) => stripAnsi(line).trim());
    assert.deepEqual(painted, [
      'Repeated failures',
      '1. tsc: command not found',
      'list them: oncebitten sessions failures',
      'NAME  STATUS',
    ]);
  });

  it('mark a command up to the end of its sentence', () => {
    const told = "Check: oncebitten doctor. Undo: oncebitten uninstall codex --project '/a. B'";
    const marked = colourText(told)
      .split('\x1b[36m')
      .slice(1)
      .map((rest) => rest.split('\x1b[0m')[0]);
    assert.deepEqual(marked, ['oncebitten doctor', "oncebitten uninstall codex --project '/a. B'"]);
    const inClone = 'see: npm --prefix /src/once run -s oncebitten -- doctor';
    assert.ok(colourText(inClone).includes('\x1b[36mnpm --prefix'));
  });

  it('are for a terminal, unless NO_COLOR is set', () => {
    assert.equal(mayColour({ isTTY: true }, {}), true);
    assert.equal(mayColour({ isTTY: true }, { NO_COLOR: '' }), true);
    assert.equal(mayColour({ isTTY: true }, { NO_COLOR: '1' }), false);
    assert.equal(mayColour({ isTTY: true }, { TERM: 'dumb' }), false);
    assert.equal(mayColour({}, {}), false);
  });
});
