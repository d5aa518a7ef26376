/**
 * A line of a script given as an argument (jq, awk, sed) that the program does not understand. It shows the line in its
 * error; the script that then worked has another in its place.
 */

import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector, type Trouble } from '../../episodes/make-pair-detector.ts';

const MAX_STEPS = 4;
const SYNTAX = /syntax error|parse error|unexpected|failed to parse|unterminated/i;
const [MIN_CHARS, MAX_CHARS] = [10, 100];

export const scriptSyntax = makePairDetector({
  name: 'distill/script-syntax@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const shown = findShown(trouble);
    if (shown === undefined) return undefined;
    const { command: failed, line, complaint } = shown;
    const later = findLater(trouble, MAX_STEPS, (one) => one.program === failed.program && isMended(failed, one, line));
    const right = later === undefined ? undefined : findMended(later.command, line);
    if (later === undefined || right === undefined) return undefined;
    return {
      index: later.index,
      text: {
        summary: `\`${failed.program}\` does not understand \`${line}\`: use \`${right}\``,
        mistake: `\`${line}\` in a script for \`${failed.program}\` failed: ${toShortChars(complaint, 120)}`,
        remediation: `Write \`${right}\``,
        tags: [`tool:${failed.program}`, 'topic:script-syntax'],
      },
      triggers: {
        tools: ['shell'],
        programs: [{ name: failed.program }],
        command: { match: [toLiteral(line).replace(/\s+/g, '\\s+')] },
      },
      intentKey: `${failed.program} script`,
      signals: later.signals,
    };
  },
});

/** A line of the error that is a line of a script of several. */
function findShown({ toLines, commands }: Trouble) {
  const lines = toLines();
  const complaint = lines.find((line) => SYNTAX.test(line));
  if (complaint === undefined) return undefined;
  for (const line of lines) {
    const bare = line.replace(/[,;|]+$/, '').trim();
    if (bare.length < MIN_CHARS || bare.length > MAX_CHARS || line === complaint) continue;
    const command = commands.find((one) => takesScript(one) && toScriptLines(one).some((own) => own.includes(bare)));
    if (command !== undefined) return { command, line: bare, complaint };
  }
  return undefined;
}

/** As a word, or as the value of an option (`gh --jq`, `perl -e`). */
function takesScript({ program }: SimpleCommand): boolean {
  return isKnownAs(program, 'scripted') || program === 'gh' || program === 'perl';
}

function toScriptLines({ args }: SimpleCommand): readonly string[] {
  return args.flatMap(({ value }) => (value.includes('\n') ? value.split('\n').map((line) => line.trim()) : []));
}

/** Most lines of the script are still there, the one that was shown is not. */
function isMended(failed: SimpleCommand, later: SimpleCommand, line: string): boolean {
  const [before, after] = [toScriptLines(failed), toScriptLines(later)];
  const kept = before.filter((one) => after.includes(one));
  return (
    kept.length * 2 >= before.length &&
    !after.some((one) => one.includes(line)) &&
    findMended(later, line) !== undefined
  );
}

/** What stands there instead: the line with the same letters in it and other signs around them. */
function findMended(later: SimpleCommand, line: string): string | undefined {
  const letters = toLetters(line);
  const found = toScriptLines(later).find((one) => toLetters(one) === letters);
  return found?.replace(/[,;|]+$/, '').trim();
}

function toLetters(line: string): string {
  return line.replace(/[^A-Za-z0-9_.]/g, '');
}
