/**
 * One word of a command line for another, or nothing at all: the word must be there exactly once, as a plain word of one
 * simple command, and parsed again the line must differ in that word only. What cannot be proved so is not done.
 */
import type { TokenReplacement } from './lesson.ts';
import { parseCommand } from './parse-command.ts';
import { isOption, toPositionals } from './program-words.ts';
import type { Argument, SimpleCommand } from './simple-command.ts';

/** Longer lines carry data. */
const MAX_LINE_CHARS = 4096;
/** Nothing in it means anything to a shell, wherever it stands. */
const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*$/;
const PLAIN_CHAR = /[\w@%+=:,./-]/;

export function isPlainWord(word: string): boolean {
  return PLAIN.test(word);
}

export function replaceToken(line: string, replacement: TokenReplacement): string | undefined {
  const { from, to } = replacement;
  if (line.length > MAX_LINE_CHARS || from === to || !isPlainWord(from) || !isPlainWord(to)) return undefined;
  const [at, ...others] = listPlaces(line, from);
  if (at === undefined || others.length > 0) return undefined;
  const before = parseCommand(line);
  const put = (word: string): string => line.slice(0, at) + word + line.slice(at + from.length);
  const isProved = (now: Argument): boolean => isOnlyChange(before, parseCommand(put(now.text)), replacement, now);
  // Quotes put around it must be read as its own. Where one is open they would close it: it is a text there, or a script
  // for another shell than the one that reads this line.
  const isOutside = [`'${from}'`, `"${from}"`].every((text) => isProved({ text, value: from }));
  return isOutside && isProved({ text: to, value: to }) ? put(to) : undefined;
}

/** Where it stands as a whole word, quoted or not. */
function listPlaces(line: string, word: string): readonly number[] {
  const places: number[] = [];
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    const [before = '', after = ''] = [line[at - 1], line[at + word.length]];
    if (!PLAIN_CHAR.test(before) && !PLAIN_CHAR.test(after)) places.push(at);
  }
  return places;
}

function isOnlyChange(
  before: readonly SimpleCommand[],
  after: readonly SimpleCommand[],
  { program, sub = [], from }: TokenReplacement,
  word: Argument,
): boolean {
  const changed = before.flatMap((command, i) => (isSame(command, after[i]) ? [] : [[command, after[i]] as const]));
  const [old, now] = changed[0] ?? [];
  if (before.length !== after.length || changed.length !== 1 || old === undefined || now === undefined) return false;
  const plain = { text: from, value: from };
  const other = old.args.filter((one, i) => !isSameWord(one, now.args[i]));
  return (
    isSame({ ...old, args: [] }, { ...now, args: [] }) &&
    old.program === program &&
    [old, now].every((command) => startsWith(toPositionals(command), sub)) &&
    old.args.length === now.args.length &&
    other.length === 1 &&
    old.args.some((one, i) => isSameWord(plain, one) && isSameWord(word, now.args[i]) && !isMaybeValue(old.args[i - 1]))
  );
}

/** Behind an option a word may be that option's value, and nobody here knows the options of every program. */
function isMaybeValue(before: Argument | undefined): boolean {
  return before !== undefined && isOption(before.value) && !before.value.includes('=');
}

function startsWith(words: readonly string[], first: readonly string[]): boolean {
  return first.every((word, i) => words[i] === word);
}

function isSame(a: SimpleCommand, b: SimpleCommand | undefined): boolean {
  return (
    a.program === b?.program &&
    a.hidden === b.hidden &&
    a.piped === b.piped &&
    a.args.length === b.args.length &&
    a.args.every((one, i) => isSameWord(one, b.args[i]))
  );
}

function isSameWord(a: Argument, b: Argument | undefined): boolean {
  return a.text === b?.text && a.value === b.value;
}
