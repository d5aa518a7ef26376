/**
 * The difference between a call that failed and the call that did the same and worked, as steps that another call can be
 * given. `applyEdit` gives it to a command line. `toEdit`, `toLasting` and `renderEdit` are in
 * `distill/episodes/find-edit.ts`, because only learning finds and words edits. The words that an edit brings
 * are its own (`--quick` for `--fast`); the objects of either call (paths, numbers, names) are holes, so that what was
 * learned from one call is right for the next one.
 *
 * `toEdit` gives an exact edit: its holes remember their objects, and it makes the fixing call of the failing one.
 * `toLasting` forgets the objects: that is what a lesson keeps.
 */
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { toBaseName } from '../text/paths.ts';
import { isPlainWord, type ObjectKind } from './object-kind.ts';
import { BASH, parseCommand } from './parse-command.ts';
import type { Argument } from './simple-command.ts';
import { isOption, toPositionals } from './simple-command.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** A word in which an object stands. */
export interface Hole {
  readonly any: ObjectKind;
  /** What stands before the object in the same word: `--out=`. */
  readonly prefix?: string;
  /** Of a word that is added: the object that this hole among those of the removed words stood for, from 0. */
  readonly copy?: number;
  /** The object as it was typed. Lessons do not have it. */
  readonly object?: string;
}

/** A word as it is typed, or one with an object in it. */
export type EditWord = string | Hole;

/**
 * Words in a row that others take the place of. Where there are none, the others are added at `at`: behind that word, at the
 * end, or at an index (1: right behind the program). At 0 stands the program: another one, what it runs through (`mise exec --`), a variable that is set.
 */
export interface WordStep {
  readonly from: readonly EditWord[];
  readonly to: readonly EditWord[];
  readonly at?: string | number;
}

export type EditStep =
  | WordStep
  /** Members of a list with commas: `merged` of `--json state,merged`. */
  | {
      readonly list: readonly string[];
      readonly by: readonly string[];
      /** Each of `by` stands where its member of `list` stood. Else members went, and others may have come for other reasons. */
      readonly paired?: true;
    }
  /** Words with one of these characters are to be quoted; `prefix`: only those that begin so. */
  | { readonly quote: string; readonly prefix?: string }
  /** A command that has to run before. */
  | { readonly first: readonly EditWord[] };

export interface CommandEdit {
  readonly program: string;
  readonly sub?: readonly string[];
  readonly steps: readonly EditStep[];
  /** The steps of other fixes that worked too. Nobody knows which fix the next call needs, so the compiler leaves such an edit out. */
  readonly others?: readonly (readonly EditStep[])[];
  /** Only what the error points at is in it. Edits of earlier builds do not say so: they are narrowed before they are told. */
  readonly narrowed?: true;
}

interface Replacement extends Pick<CommandEdit, 'program' | 'sub'> {
  readonly from: string;
  readonly to: string;
}

/** One word for another, and nothing else: what a call may be changed by before it runs. */
export function toReplacementEdit({ program, sub, from, to }: Replacement): CommandEdit {
  return { program, ...(sub === undefined ? {} : { sub }), steps: [{ from: [from], to: [to] }] };
}

/** Longer lines carry data. */
const MAX_LINE_CHARS = 4096;
/** Where words are added behind all others. */
export const END = '';

// --- Applying: this part runs while an agent waits.

/** Thrown and caught in this file. */
const NO_FIT = new Error('the edit does not fit');

/**
 * The line with the edit made in the one command that it fits, or undefined: where it fits none or several, where it needs
 * an object that the line does not have, or where the new line, parsed again, does not differ by just this edit.
 * `isCertain`: options that might be the value of another option are left alone, too.
 */
export function applyEdit(edit: CommandEdit, line: string, isCertain = false): string | undefined {
  if (line.length > MAX_LINE_CHARS) return undefined;
  try {
    const { words, now } = getOnly(
      listPlaced(line).flatMap((placed) => {
        const made = editWords(edit, placed, isCertain);
        return made === undefined ? [] : [{ words: placed, now: made }];
      }),
    );
    const whole = putWords(line, words, now);
    return isOnlyChange(line, whole, words, now) ? whole : undefined;
  } catch {
    // It does not fit, or the line is nested deeper than there is stack.
    return undefined;
  }
}

function getOnly<T>(found: readonly T[]): T {
  if (found.length !== 1) throw NO_FIT;
  return found[0] as T;
}

interface Placed extends Argument {
  readonly pos: number;
  readonly end: number;
}

/** The words of the simple commands that stand in the line itself: not of scripts in quotes, nor those of wrappers (`sudo`). */
function listPlaced(line: string): readonly (readonly Placed[])[] {
  const found: (readonly Placed[])[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name !== undefined) {
      const { inner, script } = unwrapCommand([node.name, ...node.args] as readonly Placed[]);
      if (script === undefined) found.push(inner as readonly Placed[]);
    }
    forEachChild(node, visit);
  };
  const script = parse(line);
  // A quote or a bracket that stays open: what the words are is then a guess.
  if (script.errors?.length) throw NO_FIT;
  visit(script);
  return found;
}

/** As they are typed; those that stay are the given ones themselves. */
export function editWords(
  edit: CommandEdit,
  words: readonly Argument[],
  isCertain = false,
): readonly Argument[] | undefined {
  const objects: string[] = [];
  try {
    return isAbout(edit, words)
      ? edit.steps.reduce((now, step) => editStep(step, now, objects, isCertain), words)
      : undefined;
  } catch {
    return undefined;
  }
}

function isAbout({ program, sub = [] }: CommandEdit, words: readonly Argument[]): boolean {
  const [head, ...args] = words;
  if (head === undefined || toBaseName(head.value) !== program || /[$`]/.test(head.text)) return false;
  const given = toPositionals({ program, args, text: '' });
  return sub.every((word, i) => given[i] === word);
}

function editStep(
  step: EditStep,
  words: readonly Argument[],
  objects: string[],
  isCertain: boolean,
): readonly Argument[] {
  // Lists, quotes, and what has to run before, are only told.
  if (!('from' in step)) throw NO_FIT;
  const { from, to, at } = step;
  const place = at === 0 ? at : from.length === 0 ? findPlace(words, at) : findRun(from, words, isCertain);
  from.forEach((word, i) => {
    if (typeof word !== 'string') objects.push((words[place + i]?.text ?? '').slice(word.prefix?.length));
  });
  return put(words, place, from.length, toTyped(to, objects));
}

function put(words: readonly Argument[], at: number, gone: number, come: readonly string[]): readonly Argument[] {
  return [...words.slice(0, at), ...come.map((text) => ({ text, value: text })), ...words.slice(at + gone)];
}

function toTyped(words: readonly EditWord[], objects: readonly string[]): readonly string[] {
  return words.map((word) => {
    if (typeof word === 'string') {
      // Words that mean something to a shell are nobody's to bring, but for the empty one.
      if (!isPlainWord(word) && word !== "''") throw NO_FIT;
      return word;
    }
    const object = word.copy === undefined ? word.object : objects[word.copy];
    if (object === undefined) throw NO_FIT;
    return (word.prefix ?? '') + object;
  });
}

/** Where the words stand in a row, if that is one place. Holes alone could be any words. */
function findRun(from: readonly EditWord[], words: readonly Argument[], isCertain: boolean): number {
  if (from.every((word) => typeof word !== 'string' && word.object === undefined && word.prefix === undefined))
    throw NO_FIT;
  const isHere = (at: number): boolean => at > 0 && from.every((word, i) => isWord(word, words[at + i]?.text));
  const place = getOnly(words.flatMap((_, at) => (isHere(at) ? [at] : [])));
  // Behind an option a word may be that option's value, and nobody here knows the options of every program.
  const isMaybeValue = place > 1 && typeof from[0] === 'string' && isOpen(words[place - 1]);
  if (isMaybeValue && (isCertain || !isOption(`${from[0]}`))) throw NO_FIT;
  return place;
}

function isOpen(word: Argument | undefined): boolean {
  return word !== undefined && isOption(word.value) && !word.value.includes('=');
}

/** Words of the edit's own must be typed as they are: in quotes they are a text. */
function isWord(word: EditWord, text = ''): boolean {
  if (typeof word === 'string') return text === word;
  const { prefix = '', object } = word;
  return object === undefined ? text.startsWith(prefix) && text !== prefix : text === prefix + object;
}

/** Not behind `--`, where options are words. */
function findPlace(words: readonly Argument[], at: string | number = END): number {
  const places = words.flatMap(({ text }, i) => (text === at ? [i + 1] : []));
  const place = typeof at === 'number' ? at : at === END ? words.length : getOnly(places);
  if (words.slice(0, place).some(({ value }) => value === '--')) throw NO_FIT;
  return place;
}

/** In the place of the words that differ. Not where something else stands between them, which would be lost. */
function putWords(line: string, before: readonly Placed[], now: readonly Argument[]): string {
  let head = 0;
  while (head < before.length && before[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(before.length, now.length) - head && before.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const gone = before.slice(head, before.length - tail);
  const come = now
    .slice(head, now.length - tail)
    .map(toText)
    .join(' ');
  const isPut = gone.length > 0 && come !== '';
  const last = before[head - 1]?.end ?? before[0]?.pos ?? 0;
  const from = isPut ? (gone[0]?.pos ?? 0) : last;
  const to = gone.at(-1)?.end ?? last;
  if (toBare(line.slice(from, to)) !== toBare(gone.map(toText).join(''))) throw NO_FIT;
  const text = isPut || come === '' ? come : head === 0 ? `${come} ` : ` ${come}`;
  return line.slice(0, from) + text + line.slice(to);
}

/** Without the spaces, and without the backslash of a line that goes on. */
function toBare(text: string): string {
  return text.replace(/[\s\\]+/g, '');
}

function toText({ text }: Argument): string {
  return text;
}

/** As the shell reads both lines: the same commands with the same words, but for the one that was changed. */
function isOnlyChange(line: string, whole: string, words: readonly Argument[], now: readonly Argument[]): boolean {
  const wanted = toKeys(line);
  const at = wanted.indexOf(toKeys(toLine(words)).join());
  wanted.splice(at, 1, ...toKeys(toLine(now)));
  return at >= 0 && whole !== line && String(wanted) === String(toKeys(whole));
}

function toLine(words: readonly Argument[]): string {
  return words.map(toText).join(' ');
}

function toKeys(line: string): string[] {
  return parseCommand(line, BASH).map(({ program, args }) => [program, ...args.map(toText)].join('\n'));
}
