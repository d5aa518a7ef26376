/**
 * The word of a failed command that the error names. A message alone proves nothing (a test may print one): the word
 * must stand in the command, in the role that the message speaks of, and in one place only that can be meant.
 */

import { isOption, type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { toSubCommand } from '../../../base/shell/sub-commands.ts';
import { toBaseName } from '../../../base/text/paths.ts';
import { hasClosedQuotes, toPairedQuotes, toShortChars } from '../../../base/text/short-text.ts';
import { stripAnsi } from '../../../base/text/strip-ansi.ts';
import { listLead } from '../../text/to-short-command.ts';
import type { Culprit } from './culprit.ts';
import { CULPRIT_HINT, CULPRIT_MESSAGES, type CulpritMessage } from './culprit-messages.ts';

const MAX_LINES = 120;
const MAX_LINE_CHARS = 300;
/** A program speaks at the start of a line, after a prefix such as `gh: error: ` at most. */
const MAX_PREFIX_CHARS = 60;
const MAX_MESSAGE_CHARS = 120;

/** Several detectors ask the same of the same call, and the next window has it again. */
const known = new WeakMap<
  readonly SimpleCommand[],
  { readonly output: string; readonly culprit: Culprit | undefined }
>();

export function findCulprit(commands: readonly SimpleCommand[], output: string): Culprit | undefined {
  const before = known.get(commands);
  if (before !== undefined && before.output === output) return before.culprit;
  const culprit = lookFor(commands, output);
  known.set(commands, { output, culprit });
  return culprit;
}

function lookFor(commands: readonly SimpleCommand[], output: string): Culprit | undefined {
  const [first, ...others] = [...new Set(stripAnsi(output).split('\n', MAX_LINES))].flatMap((raw) => {
    const line = raw.trim();
    return line.length > MAX_LINE_CHARS ? [] : listInLine(commands, line, output);
  });
  if (first === undefined) return undefined;
  const isOther = ({ command, word }: Culprit): boolean => command === first.command && word !== first.word;
  const also = [...new Map(others.filter(isOther).map((one) => [one.word, one])).values()];
  return also.length === 0 ? first : { ...first, also, message: joinMessages([first, ...also]) };
}

/** Each message once, as far as there is room. */
function joinMessages(culprits: readonly Culprit[]): string {
  return [...new Set(culprits.map(({ message }) => message))].reduce((told, message) => {
    const joined = `${told}; ${message}`;
    return joined.length > MAX_MESSAGE_CHARS ? told : joined;
  });
}

function listInLine(commands: readonly SimpleCommand[], line: string, output: string): readonly Culprit[] {
  if (line === '' || !CULPRIT_HINT.test(line)) return [];
  const found = findInLine(commands, line, output);
  return found === undefined ? [] : [...found.culprits, ...listInLine(commands, line.slice(found.end), output)];
}

interface InLine {
  readonly culprits: readonly Culprit[];
  /** Where the message ends in the line. */
  readonly end: number;
}

function findInLine(commands: readonly SimpleCommand[], line: string, output: string): InLine | undefined {
  for (const message of CULPRIT_MESSAGES) {
    const match = message.pattern.exec(line);
    if (match === null || match.index > MAX_PREFIX_CHARS) continue;
    const word = (match.groups?.word ?? '').replace(/[.:)]+$/, '');
    const told = { word, option: match.groups?.option, text: toMessage(line, match) };
    const isNone = word === '' || (message.absent === true && (isFile(word) || isPassing(word)));
    const located = isNone ? [] : toSpeakers(commands, line).flatMap((command) => locate(command, message, told));
    const { absent } = message;
    const found = located.map((one) => ({ ...one, ...(absent && { absent }) }));
    const named = found.filter((one) => isNamed(one.command.program, line, output));
    const likely = found.length > 1 && named.length > 0 ? named : found;
    const meant = new Set(likely.map(toPlace)).size > 1 ? likely.filter(isObject) : likely;
    // The same mistake in two commands of one line is one; two different readings are none.
    const [culprit] = meant;
    if (culprit !== undefined && new Set(meant.map(toPlace)).size === 1)
      return addListed(culprit, line, match.index + match[0].length);
  }
  return undefined;
}

/** A word of a list: `--fast` of `unknown options: --color, --fast`. */
const LISTED = /[\s,;]+(?:and\s+|or\s+)?['"`‘“]?([^\s'"`‘’“”,;]+)['"’”]?/y;

/** The message may go on with other options of the command. Words between them are values of these options. */
function addListed(culprit: Culprit, line: string, start: number): InLine {
  const { command, role, cluster: _, ...rest } = culprit;
  const values = new Set(command.args.map(({ value }) => value));
  const words = new Set([culprit.word]);
  let [end, message, isGap] = [start, culprit.message, false];
  for (LISTED.lastIndex = start; role === 'option'; ) {
    const [, listed = ''] = LISTED.exec(line) ?? [];
    const [typed] = listed.startsWith('-') ? toTyped(command, listed.replace(/[.:)]+$/, '')) : [];
    if (listed === '' || (typed === undefined && !values.has(listed))) break;
    isGap ||= typed === undefined;
    if (typed === undefined || words.has(typed.word)) continue;
    words.add(typed.word);
    // The quotation that the first word stands in may go on to here.
    if (!message.includes(listed))
      message += isGap ? ` … ${listed}` : toPairedQuotes(line.slice(end, LISTED.lastIndex));
    [end, isGap] = [LISTED.lastIndex, false];
  }
  const told = toShortChars(message.replace(/[,;:]+$/, ''), MAX_MESSAGE_CHARS);
  const culprits = [...words].map((word) => ({ ...rest, command, role, word, message: told }));
  return { culprits: [{ ...culprit, message: told }, ...culprits.slice(1)], end };
}

/**
 * To the end of the word that the pattern ends in, and of the quotation or bracket. Git opens a quotation with a backtick
 * and closes it with an apostrophe.
 */
function toMessage(line: string, { 0: found, index }: RegExpExecArray): string {
  const rest = line.slice(index + found.length);
  const ends = [...rest.matchAll(/(?<=\S)(?=\s|$)|^(?=\s|$)/g)].map((end) => found + rest.slice(0, end.index));
  const [whole = found] = /\s$/.test(found) ? [found, ...ends] : ends;
  const texts = [...ends, whole].map((text) => toPairedQuotes(text).replace(/^[:\s]+|[,;]+$/g, ''));
  return toShortChars(texts.find(hasClosedQuotes) ?? texts.at(-1) ?? found, MAX_MESSAGE_CHARS);
}

/** A line that begins with the name of a program is about that one's words: `cat: unrecognized option` blames no `echo`. */
function toSpeakers(commands: readonly SimpleCommand[], line: string): readonly SimpleCommand[] {
  const speaking = commands.filter(({ program }) => program !== '' && line.startsWith(`${program}: `));
  return speaking.length > 0 ? speaking : commands;
}

function isFile(word: string): boolean {
  return word.includes('/') || /\w\.\w{1,5}$/.test(word);
}

/** A hash, a number, a name that was made up for one run: gone tomorrow, and not missed. */
function isPassing(word: string): boolean {
  return (
    /^(?:[0-9a-f]{7,}|[0-9a-f]*\d[0-9a-f]*)$/i.test(word) ||
    /[~^@{]|\d{4}/.test(word) ||
    /-[a-z\d]*\d[a-z\d]*-[a-z\d]{5}$/.test(word)
  );
}

/** What the command is about stands first: `main` of `git checkout main`, not of `git pull origin main`. */
function isObject({ command, sub, word, role }: Culprit): boolean {
  return role !== 'word' || toPositionals(command)[sub.length] === word;
}

interface Named {
  readonly word: string;
  readonly option: string | undefined;
  readonly text: string;
}

function locate(command: SimpleCommand, message: CulpritMessage, named: Named): readonly Culprit[] {
  const base = { command, sub: toSubCommand(command), message: named.text };
  switch (message.role) {
    case 'program':
      return command.program !== '' && command.program === toBaseName(named.word)
        ? [{ ...base, role: 'program', word: command.program, sub: [] }]
        : [];
    case 'option':
      return toTyped(command, named.word).map((typed) => ({
        ...base,
        ...typed,
        role: 'option',
        sub: listLead(command),
      }));
    case 'value': {
      const place = findOptionValue(command, named.word, named.option);
      return place === undefined ? [] : [{ ...base, ...place, role: 'value', word: named.word }];
    }
    case 'positional':
      return locatePositional(command, named, base.sub);
  }
}

function locatePositional(command: SimpleCommand, named: Named, sub: readonly string[]): readonly Culprit[] {
  const base = { command, message: named.text, word: named.word };
  const at = sub.indexOf(named.word);
  if (at >= 0) return [{ ...base, role: isTask(sub, at) ? 'word' : 'sub-command', sub: sub.slice(0, at) }];
  if (toPositionals(command).includes(named.word)) return [{ ...base, role: 'word', sub }];
  const place = findOptionValue(command, named.word, undefined);
  return place === undefined ? [] : [{ ...base, ...place, role: 'value', sub }];
}

/** `npm run lint`: the second word is a script of the project, not a command of npm. */
function isTask(sub: readonly string[], at: number): boolean {
  return at > 0 && (sub[0] === 'run' || sub[0] === 'task' || sub[0] === 'run-script');
}

/** The option as it was typed: messages say `dry-run` for `--dry-run` and `P` for `-oP`. */
function toTyped(command: SimpleCommand, word: string): readonly Pick<Culprit, 'word' | 'cluster'>[] {
  const names = command.args.map(({ value }) => value.split('=', 1)[0] ?? '').filter(isOption);
  const bare = word.split('=', 1)[0] ?? '';
  const wanted = bare.startsWith('-') ? [bare, `-${bare}`] : [`--${bare}`, `-${bare}`];
  const exact = wanted.find((one) => names.includes(one));
  if (exact !== undefined) return [{ word: exact }];
  const letter = bare.replace(/^-/, '');
  if (letter.length !== 1) return [];
  const cluster = names.find((name) => /^-[A-Za-z0-9]+$/.test(name) && name.includes(letter));
  return cluster === undefined ? [] : [{ word: `-${letter}`, cluster }];
}

/** The line or the usage text after it names the program. */
function isNamed(program: string, line: string, output: string): boolean {
  return program !== '' && (line.startsWith(`${program}: `) || output.includes(`${program} `));
}

function toPlace(culprit: Culprit): string {
  return [culprit.role, culprit.command.program, ...culprit.sub, culprit.option ?? '', culprit.word].join('\n');
}

interface OptionValue {
  readonly option: string;
  /** The value is only a part of the word or of a comma list. */
  readonly embedded: boolean;
}

/**
 * The option of a command that was given a value: `--json merged`, `--json=a,merged`, `-ojson`. `option` restricts
 * the search to that one, where the error names it.
 */
function findOptionValue(command: SimpleCommand, value: string, option: string | undefined): OptionValue | undefined {
  const words = command.args.map((arg) => arg.value);
  for (const [i, word] of words.entries()) {
    const place = isOption(word) ? toValuePlace(word, words[i + 1], value) : undefined;
    if (place !== undefined && (option === undefined || isSameOption(place.option, option))) return place;
  }
  return undefined;
}

function toValuePlace(word: string, next: string | undefined, value: string): OptionValue | undefined {
  const equals = word.indexOf('=');
  if (equals > 0) {
    return hasPart(word.slice(equals + 1), value) ? { option: word.slice(0, equals), embedded: true } : undefined;
  }
  if (next !== undefined && hasPart(next, value)) return { option: word, embedded: next !== value };
  return /^-[A-Za-z]/.test(word) && word.slice(2) === value ? { option: word.slice(0, 2), embedded: true } : undefined;
}

function hasPart(list: string, value: string): boolean {
  return list.split(',').includes(value);
}

/** Messages may name the long form where the short one was typed, and the other way round: `-o` and `--output`. */
function isSameOption(typed: string, named: string): boolean {
  const [a, b] = [typed.replace(/^-+/, ''), named.replace(/^-+/, '')];
  return a === b || ((a.length === 1 || b.length === 1) && a[0] === b[0]);
}
