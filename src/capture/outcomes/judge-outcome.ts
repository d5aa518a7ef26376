/**
 * Judges the outcome of a call from the facts and, if they say success, from error lines of programs whose exit code
 * the command hid (a pipe, `|| true`, a later command). If the end of a command is unknown but its output exists, an
 * error line of its program means failure. This is separate from `judge-facts.ts`, because the hook has no time for it.
 */

import { type EndedCall, hasWorked } from '../../base/model/event.ts';
import { parseCommand } from '../../base/shell/parse-command.ts';
import { isProgram } from '../../base/shell/programs/find-program.ts';
import { hasHookTrait, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import { findErrorLine } from '../../base/text/cause-line.ts';
import { makeHintSearch } from '../../base/text/hint-search.ts';
import { stripAnsi } from '../../base/text/strip-ansi.ts';
import {
  ANY_PROGRAM_LINE,
  ERROR_HINTS,
  ERROR_LINES,
  type ErrorLine,
  NAMED_ERROR,
  NAMED_LINE,
  SHELL_LINE,
} from './error-lines.ts';
import { type Judgement, judgeFacts } from './judge-facts.ts';

const MASKED: Judgement = { outcome: 'failure', outcomeType: 'masked', masked: true };
const BY_TEXT: Judgement = { outcome: 'failure', outcomeType: 'error-line', masked: false };

export function judgeOutcome(call: EndedCall): Judgement {
  const judgement = judgeFacts(call);
  if (judgement.outcomeType === 'no-end') return isMasked(call) ? BY_TEXT : judgement;
  const isDone = hasWorked(judgement);
  return isDone && judgement.outcomeType !== 'background' && isMasked(call) ? MASKED : judgement;
}

function isMasked(call: EndedCall): boolean {
  return call.tool === 'shell' && findMaskedError(call) !== undefined;
}

/**
 * The error line of a program whose exit code the command hides. Two conditions must hold: the parsed command can hide
 * the exit code of that program, and the output contains a line that only that program prints when it fails. Precision
 * comes first: text that merely shows other text proves nothing.
 */
interface MaskedError {
  readonly program: string;
  /** The cause as the program printed it; not redacted. */
  readonly line: string;
}

/** Only these can hide an exit code: a list, a pipe, a substitution, `if` and similar constructs need one of them. */
const MAY_HIDE = /[|;&\n$`(!]/;
/** A cheap test that rejects most outputs. */
const findHints = makeHintSearch(ERROR_HINTS);
/** An output of so few lines is the whole answer, not a line of some text. */
const SHORT_LINES = 3;
const MAX_LINES = 400;
const MAX_LINE_CHARS = 500;

/** The last result is cached, because the search for the cause asks again right after the judgement. */
let last: { readonly call: EndedCall; readonly found: MaskedError | undefined } | undefined;

export function findMaskedError(call: EndedCall): MaskedError | undefined {
  if (last?.call !== call) last = { call, found: lookForError(call) };
  return last.found;
}

function lookForError(call: EndedCall): MaskedError | undefined {
  const { command: source = '' } = call.input;
  // If the agent did not report the exit code, the exit codes of all programs count as hidden.
  const { text, unended: isExitUnknown = false } = call.result;
  if (mayBeCorrected(text)) return findCorrected(call, source, text);
  if (text === '' || !(isExitUnknown || MAY_HIDE.test(source))) return undefined;
  // The command is parsed first: callers need its program anyway, and the text is longer.
  const commands = parseCommand(source, call);
  const hidden = isExitUnknown ? commands : commands.filter((command) => command.hidden === true);
  if (hidden.length === 0 || findHints(text).size === 0) return undefined;
  const rows = hidden.map((command) => {
    const both = [command, unwrapRunner(command)];
    return { command, lines: ERROR_LINES.filter((row) => isErrorOf(row, both)) };
  });
  const lines = toLines(text);
  const isShort = lines.length <= SHORT_LINES;
  for (const [at, line] of lines.entries()) {
    // Most lines contain none of the words that every error line has.
    if (findHints(line).size === 0 || isEchoed(line, commands)) continue;
    if (SHELL_LINE.test(line) && isAbout(line, source)) return { program: findNamed(line, hidden), line };
    for (const { command, lines: known } of rows) {
      if (!isPrintedBy(line, command, known, { commands, isShort })) continue;
      const row = known.find((one) => one.line.test(line));
      return { program: command.program, line: findCause(lines, at, row?.cause) ?? line };
    }
  }
  return undefined;
}

/** A program rejected a word of its call and went on with another one: `Continuing …, assuming that you meant 'push'.` */
const CORRECTED =
  /\b(?:assuming|under the assumption)(?: that)? you meant\b|\b(?:running|using|executing) [`'"]?[\w:-]+[`'"]? instead\b/i;

/** The words are looked for first, because the pattern takes longer than all other questions about an output. */
function mayBeCorrected(text: string): boolean {
  return (text.includes('you meant') || text.includes(' instead')) && CORRECTED.test(text);
}

/** The call did not work in the form in which it was made. The rejected word is named before the one that was meant. */
function findCorrected(call: EndedCall, source: string, text: string): MaskedError | undefined {
  const commands = parseCommand(source, call).filter((one) => !hasHookTrait(one, 'shows', 'quiet'));
  const lines = toLines(text);
  const at = lines.findIndex((line) => CORRECTED.test(line));
  for (const line of [lines[at - 1] ?? '', lines[at] ?? '']) {
    const rejecting = line.slice(0, CORRECTED.exec(line)?.index);
    const command = commands.find((one) => namesWord(rejecting, [{ ...one, program: '' }]));
    if (command !== undefined) return { program: command.program, line };
  }
  return undefined;
}

/** Lines further away belong to other programs. */
const CAUSE_LINES = 60;

/** If the line only says that something failed: the line that says why. */
function findCause(lines: readonly string[], at: number, cause: ErrorLine['cause']): string | undefined {
  if (cause === undefined) return undefined;
  const near = cause === 'above' ? lines.slice(Math.max(0, at - CAUSE_LINES), at) : lines.slice(at, at + CAUSE_LINES);
  return findErrorLine(near.join('\n'));
}

interface Around {
  readonly commands: readonly SimpleCommand[];
  readonly isShort: boolean;
}

function isPrintedBy(line: string, command: SimpleCommand, known: readonly ErrorLine[], around: Around): boolean {
  const row = known.find((one) => one.line.test(line));
  if (row !== undefined) return isBelievable(line, command, row.sure === true, around);
  if (NAMED_LINE.exec(line)?.[1] === command.program && NAMED_ERROR.test(line))
    return isBelievable(line, command, false, around);
  return ANY_PROGRAM_LINE.test(line) && !hasHookTrait(command, 'shows', 'quiet') && namesWord(line, [command]);
}

/** No other program can have printed the line, or the line mentions a word of this very command. */
function isBelievable(line: string, command: SimpleCommand, isSure: boolean, { commands, isShort }: Around): boolean {
  if (isShort || namesWord(line, [command])) return true;
  return !commands.some((other) => {
    if (other.piped === true || hasHookTrait(other, 'quiet')) return false;
    if (hasHookTrait(other, 'shows')) return !(isSure && other.program === command.program);
    return !isSure && other.program !== command.program;
  });
}

/** `both`: a command, and what it runs if it is a runner. */
function isErrorOf({ programs, sub, inTasks }: ErrorLine, both: readonly SimpleCommand[]): boolean {
  if (inTasks === true && both.some(({ program }) => isProgram(program, 'runner'))) return true;
  const named = both.find(({ program }) => programs.includes(program));
  return named !== undefined && (sub ?? []).every((word, i) => toPositionals(named)[i] === word);
}

function isEchoed(line: string, commands: readonly SimpleCommand[]): boolean {
  return commands.some(({ program, text }) => isProgram(program, 'prints') && text.includes(line));
}

/** The shell names the word it failed on; a word that is not in this command comes from elsewhere. */
function isAbout(line: string, source: string): boolean {
  const words = line.replace(SHELL_LINE, '').split(SHELL_PHRASE);
  return words.some((word) => word.trim().length > 1 && source.includes(word.trim()));
}

const SHELL_PHRASE = /: |(?:command )?not found|no matches found|no such file or directory|permission denied/i;

function findNamed(line: string, hidden: readonly SimpleCommand[]): string {
  const named = hidden.find(({ program }) => program !== '' && namesWord(line, [{ program, args: [], text: '' }]));
  return (named ?? hidden.find((command) => namesWord(line, [command])))?.program ?? '';
}

function toLines(text: string): readonly string[] {
  const lines = stripAnsi(text)
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE_CHARS).trimEnd())
    .filter((line) => line !== '');
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES / 2), ...lines.slice(-MAX_LINES / 2)];
}

/** Shorter words occur in any text. */
const MIN_WORD_CHARS = 3;

/** Does a line of output mention a word of a command: its program, an option, one of its files? */
function namesWord(line: string, commands: readonly SimpleCommand[]): boolean {
  return commands.some(({ program, args }) => [program, ...args.flatMap(toWords)].some((word) => hasWord(line, word)));
}

function toWords({ value }: SimpleCommand['args'][number]): readonly string[] {
  const at = value.indexOf('=');
  return at === -1 ? [value] : [value, value.slice(0, at), value.slice(at + 1)];
}

/** As a whole word: `main` is not in `domain`. */
function hasWord(line: string, word: string): boolean {
  if (word.length < MIN_WORD_CHARS || word.length > line.length) return false;
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    if (!isWordChar(line[at - 1]) && !isWordChar(line[at + word.length])) return true;
  }
  return false;
}

function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[\w-]/.test(char);
}
