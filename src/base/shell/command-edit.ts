/**
 * A command edit: the difference between a call that failed and the call that fixed it, as steps that `applyEdit`
 * applies to another command line. New words of the fix are part of the edit (`--quick` for `--fast`); objects of the
 * two calls (paths, numbers, names) are holes, so that an edit learned from one call fits the next.
 *
 * Only learning finds and renders edits, in `distill/episodes/find-edit.ts`. `toEdit` returns an exact edit whose holes
 * contain their objects; `toLasting` removes the objects, which gives the edit of a lesson.
 */
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { dropAbsent } from '../records.ts';
import { toBaseName } from '../text/paths.ts';
import { applyTemplate, type PlacedWord, type TemplateStep } from './command-template.ts';
import { isPlainWord, type ObjectKind } from './object-kind.ts';
import { BASH, parseCommand } from './parse-command.ts';
import type { Argument } from './simple-command.ts';
import { isOption, toPositionals } from './simple-command.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** A word that contains an object. */
export interface Hole {
  readonly any: ObjectKind;
  /** The text before the object in the same word: `--out=`. */
  readonly prefix?: string;
  /** For an added word: the index of the hole among the removed words whose object it repeats. */
  readonly copy?: number;
  /** The object as typed. Edits of lessons do not have it. */
  readonly object?: string;
}

/** A literal word, or one with an object in it. */
export type EditWord = string | Hole;

/**
 * Replaces a sequence of words by others. Without words to replace, adds the others at `at`: after that word, at the
 * end, or at an index (1: right after the program). Index 0 is the program: another one, a runner before it (`mise exec
 * --`), or a variable.
 */
export interface WordStep {
  readonly from: readonly EditWord[];
  readonly to: readonly EditWord[];
  readonly at?: string | number;
}

export type EditStep =
  | WordStep
  /** Replaces members of a comma-separated list: `merged` in `--json state,merged`. */
  | {
      readonly list: readonly string[];
      readonly by: readonly string[];
      /**
       * Each member of `by` replaces the member of `list` at the same index. Otherwise members were removed, and others
       * may have been added for another reason.
       */
      readonly paired?: true;
    }
  /** Words with one of these characters need quotes; `prefix`: only words that begin so. */
  | { readonly quote: string; readonly prefix?: string }
  /** A command that must run before. */
  | { readonly first: readonly EditWord[] }
  /** The whole fixed line, for fixes that no other step can tell. Then it is the only step. */
  | TemplateStep;

export interface CommandEdit {
  /** `*` if a template fits several programs. */
  readonly program: string;
  readonly sub?: readonly string[];
  readonly steps: readonly EditStep[];
  /**
   * The steps of other fixes that worked too. It is unknown which fix the next call needs, so the compiler leaves such
   * an edit out.
   */
  readonly others?: readonly (readonly EditStep[])[];
  /**
   * The edit contains only what the error points at. Edits of earlier versions lack the mark and are narrowed before
   * they are shown.
   */
  readonly narrowed?: true;
}

interface Replacement extends Pick<CommandEdit, 'program' | 'sub'> {
  readonly from: string;
  readonly to: string;
}

/** The replacement of one word, which may be applied to a call before it runs. */
export function toReplacementEdit({ program, sub, from, to }: Replacement): CommandEdit {
  return dropAbsent({ program, sub, steps: [{ from: [from], to: [to] }] });
}

/** Longer lines contain data. */
const MAX_LINE_CHARS = 4096;
/** Adds words after all others. */
export const END = '';

// Applying an edit: this part runs while an agent waits.

/** Thrown and caught in this file. */
const NO_FIT = new Error('the edit does not fit');

/**
 * Applies the edit to the one command of the line that it fits. Undefined if it fits no command or several, if it needs
 * an object that the line does not have, or if the new line, parsed again, differs by more than the edit. `isCertain`:
 * also leaves options alone that might be the value of another option, and the whole call where only an example tells
 * the fix. `error`: the error of the line, once it failed.
 */
export function applyEdit(edit: CommandEdit, line: string, isCertain = false, error = ''): string | undefined {
  if (line.length > MAX_LINE_CHARS) return undefined;
  try {
    const [template] = edit.steps;
    if (template !== undefined && 'make' in template)
      return isCertain ? undefined : applyTemplate(template, line, error);
    const { words, now } = getOnly(
      listPlaced(line).flatMap((placed) => {
        const made = editWords(edit, placed, isCertain);
        return made === undefined ? [] : [{ words: placed, now: made }];
      }),
    );
    const whole = putWords(line, words, now);
    return isOnlyChange(line, whole, words, now) ? whole : undefined;
  } catch {
    // The edit does not fit, or the line is nested too deeply for the stack.
    return undefined;
  }
}

function getOnly<T>(found: readonly T[]): T {
  if (found.length !== 1) throw NO_FIT;
  return found[0] as T;
}

/** The words of the simple commands in the line itself; not those of quoted scripts or wrappers (`sudo`). */
function listPlaced(line: string): readonly (readonly PlacedWord[])[] {
  const found: (readonly PlacedWord[])[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name !== undefined) {
      const { inner, script } = unwrapCommand([node.name, ...node.args] as readonly PlacedWord[]);
      if (script === undefined) found.push(inner as readonly PlacedWord[]);
    }
    forEachChild(node, visit);
  };
  const script = parse(line);
  // With an open quote or bracket, the split into words is a guess.
  if (script.errors?.length) throw NO_FIT;
  visit(script);
  return found;
}

/** The words as typed; words that stay are the same objects as the given ones. */
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
  if (isCertain && !('from' in step)) throw NO_FIT;
  if ('quote' in step) return replaceOnly(words, (text) => toQuoted(text, step));
  if ('list' in step) return replaceOnly(words, (text) => toOtherMembers(text, step));
  // Preceding commands are only described to the agent.
  if (!('from' in step)) throw NO_FIT;
  const { from, to, at } = step;
  if (at === 0 && !from.every((word, i) => i === 0 || isWord(word, words[i]?.text))) throw NO_FIT;
  const place = at === 0 ? at : from.length === 0 ? findPlace(words, at) : findRun(from, words, isCertain);
  // Behind `--` options are plain words: the word that it is put before may look like one, the others must not.
  const behind = words.slice(place + from.length + 1);
  if (to.includes('--') && !from.includes('--') && behind.some(({ value }) => isOption(value))) throw NO_FIT;
  from.forEach((word, i) => {
    if (typeof word !== 'string') objects.push((words[place + i]?.text ?? '').slice(word.prefix?.length));
  });
  return put(words, place, from.length, toTyped(to, objects));
}

/** Changes the only argument that `change` fits. */
function replaceOnly(words: readonly Argument[], change: (text: string) => string | undefined): readonly Argument[] {
  const changed = words.map(({ text }, i) => (i === 0 ? undefined : change(text)));
  getOnly(changed.filter((text) => text !== undefined));
  return words.map((word, i) => (changed[i] === undefined ? word : { text: changed[i], value: changed[i] }));
}

/** Only words without any quotes: half a word in quotes has a reason. */
function toQuoted(text: string, { quote, prefix = '' }: Extract<EditStep, { quote: string }>): string | undefined {
  const rest = text.slice(prefix.length);
  const isBare = text.startsWith(prefix) && [...quote].some((sign) => rest.includes(sign)) && !/['"\\`$]/.test(text);
  return isBare ? `${prefix}'${rest}'` : undefined;
}

/** The value may stand behind `=`. */
function toOtherMembers(text: string, { list, by, paired }: Extract<EditStep, { list: unknown }>): string | undefined {
  const start = text.slice(0, text.indexOf('=') + 1);
  const members = text.slice(start.length).split(',');
  const isMeant = isPlainWord(text) && list.some((one) => members.includes(one));
  if (!isMeant || (!paired && by.length > 0)) return undefined;
  const kept = members.flatMap((one) => (list.includes(one) ? (paired ? (by[list.indexOf(one)] ?? one) : []) : one));
  return kept.length === 0 ? undefined : start + kept.join(',');
}

function put(words: readonly Argument[], at: number, gone: number, come: readonly string[]): readonly Argument[] {
  return [...words.slice(0, at), ...come.map((text) => ({ text, value: text })), ...words.slice(at + gone)];
}

function toTyped(words: readonly EditWord[], objects: readonly string[]): readonly string[] {
  return words.map((word) => {
    if (typeof word === 'string') {
      // An edit must not add words with a meaning to the shell, except the empty word.
      if (!isPlainWord(word) && word !== "''") throw NO_FIT;
      return word;
    }
    const object = word.copy === undefined ? word.object : objects[word.copy];
    if (object === undefined) throw NO_FIT;
    return (word.prefix ?? '') + object;
  });
}

/** The index of the sequence of words, if it occurs exactly once; options before `--`. Holes alone could be any words. */
function findRun(from: readonly EditWord[], words: readonly Argument[], isCertain: boolean): number {
  if (from.every((word) => typeof word !== 'string' && word.object === undefined && word.prefix === undefined))
    throw NO_FIT;
  const hasOption = from.some((word) => typeof word === 'string' && isOption(word));
  const end = hasOption ? words.findIndex(({ value }) => value === '--') : -1;
  const isHere = (at: number): boolean =>
    at > 0 && (end < 0 || at <= end) && from.every((word, i) => isWord(word, words[at + i]?.text));
  const place = getOnly(words.flatMap((_, at) => (isHere(at) ? [at] : [])));
  // A word after an option may be that option's value, and the options of the program are unknown.
  const isMaybeValue = place > 1 && typeof from[0] === 'string' && isOpen(words[place - 1]);
  if (isMaybeValue && (isCertain || !isOption(`${from[0]}`))) throw NO_FIT;
  return place;
}

function isOpen(word: Argument | undefined): boolean {
  return word !== undefined && isOption(word.value) && !word.value.includes('=');
}

/** Literal words of the edit must be unquoted in the line, because quoted words are text. */
function isWord(word: EditWord, text = ''): boolean {
  if (typeof word === 'string') return text === word;
  const { prefix = '', object } = word;
  return object === undefined ? text.startsWith(prefix) && text !== prefix : text === prefix + object;
}

/** Before `--`, after which options are plain words. */
function findPlace(words: readonly Argument[], at: string | number = END): number {
  const places = words.flatMap(({ text }, i) => (text === at ? [i + 1] : []));
  const place = typeof at === 'number' ? at : at === END ? words.length : getOnly(places);
  if (words.slice(0, place).some(({ value }) => value === '--')) throw NO_FIT;
  return place;
}

/** Replaces the words that differ. Fails if something else stands between them, which would be lost. */
function putWords(line: string, before: readonly PlacedWord[], now: readonly Argument[]): string {
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

/** Removes spaces and line continuations. */
function toBare(text: string): string {
  return text.replace(/[\s\\]+/g, '');
}

function toText({ text }: Argument): string {
  return text;
}

/** As the shell reads both lines: the same commands and words, except for the changed command. */
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
