/**
 * The one place where the difference between a failed and a working call becomes advice. The error says which difference
 * made the command work; the others (another host, namespace or target) were what the agent wanted that day. So every
 * detector says what the error points at. Of the edit only the steps at these points stay, without values that the error
 * does not name. Where nobody can tell which difference made the command work, there is no edit.
 */

import type { CommandEdit, EditStep, EditWord, Hole, WordStep } from '../../base/shell/command-edit.ts';
import { END } from '../../base/shell/command-edit.ts';
import { toPlainSubCommand } from '../../base/shell/command-words.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import type { Culprit } from './find-culprit.ts';
import { hasCopy, isHole, isUnwrapping, toEdit, toEditWord, toLasting } from './find-edit.ts';

/** What the error of the failed call points at. `message`: all that the error said. */
export type Pointer =
  /** The error rejects a word of the failed command: only the step that takes this word away stays. */
  | { readonly culprit: Culprit }
  /** The error is about these words of either command. */
  | { readonly words: readonly string[]; readonly message: string }
  /** The error names some words of the two commands. If these differ in one thing only, it need not name that. */
  | { readonly message: string }
  /** The error is about the program: another one helped, or another way to run it. */
  | { readonly program: true; readonly message: string }
  /** The error points at nothing, but the two commands differ in one place only: what stands there now is the fix. */
  | { readonly sole: true; readonly message: string };

interface Pair {
  readonly failed: SimpleCommand;
  readonly fixing: SimpleCommand;
  readonly points: Pointer;
}

/** The edit that a lesson may keep, or undefined where nothing can be told for sure. */
export function findTeachableEdit({ failed, fixing, points }: Pair): CommandEdit | undefined {
  const edit = toEdit(failed, fixing);
  if (edit === undefined) return undefined;
  const bare = edit.steps.find(isUnwrapping);
  if (bare !== undefined && isAboutWrapper(bare, points)) return { program: edit.program, steps: [bare] };
  const own = [failed, fixing].flatMap((command) => [command.program, ...toPlainSubCommand(command)]);
  if ('culprit' in points) {
    const kept = keepCulprit(edit.steps, points.culprit, own);
    return kept && toLasting({ ...edit, steps: [kept.step] }, kept.lasting);
  }
  const steps = keepPointed(edit.steps, points, own);
  return steps && toLasting({ ...edit, steps });
}

/** A variable that the command needs. Its value is told by its kind, unless the error names it or it is a switch. */
export function toSetEdit(program: string, { name, value }: Variable, message: string): CommandEdit | undefined {
  const text = `${name}=${value}`;
  const step = hideUnnamed({ from: [], to: [toEditWord({ text, value: text }, [])], at: 0 }, message, [program]);
  return toLasting({ program, steps: [step] });
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Whatever else differs: the error is about what the command ran through, or about what it ran. */
function isAboutWrapper({ from }: WordStep, points: Pointer): boolean {
  const words = from.map(toTyped);
  if ('culprit' in points) return words.includes(points.culprit.word);
  return 'program' in points || words.slice(1).some((word) => isNamedIn(points.message, word));
}

/** An edit that an earlier build kept, without what the words of its lesson do not point at. */
export function narrowStored(edit: CommandEdit, words: readonly string[], message: string): CommandEdit | undefined {
  const steps = keepPointed(edit.steps, { words, message }, [edit.program, ...(edit.sub ?? [])]);
  // Copies count the holes of all steps: where a step went, nobody knows what they stand for.
  const hasLost = steps?.length !== edit.steps.length && edit.steps.some(hasCopy);
  return steps === undefined || hasLost ? undefined : { ...edit, steps };
}

/** `own`: words that are the commands' own, wherever they stand. */
function keepPointed(
  all: readonly EditStep[],
  points: Exclude<Pointer, { readonly culprit: Culprit }>,
  own: readonly string[],
): readonly EditStep[] | undefined {
  const { message } = points;
  const steps = all.flatMap(splitAdded);
  // Of options that went together, the error may name the one that had to go.
  const [named, whole] = [findKept(steps.flatMap(splitRemoved), points), findKept(steps, points)];
  const kept = named.length > 0 ? named : whole;
  const isNamed = (word: string): boolean => isNamedIn(message, word);
  const bare = kept
    .map((step) => ('sole' in points ? keepLasting(step) : hideUnnamed(narrowList(step, isNamed), message, own)))
    .filter((step) => !isIdle(step));
  return bare.length === 0 ? undefined : bare;
}

/** Options that went together, each with its value. */
function splitRemoved(step: EditStep): readonly EditStep[] {
  if (!('from' in step) || step.at === 0 || step.to.length > 0 || !isOption(toTyped(step.from[0] ?? ''))) return [step];
  const starts = step.from.flatMap((word, i) => (isOption(toTyped(word)) ? [i] : []));
  return starts.map((start, n) => ({ from: step.from.slice(start, starts[n + 1]), to: [] }));
}

/** Of the members that a list lost, those that the error names. Others were not wanted that day. */
function narrowList(step: EditStep, isNamed: (word: string) => boolean): EditStep {
  if (!('list' in step)) return step;
  const named = step.list.filter(isNamed);
  return named.length === 0 ? step : { ...step, list: named };
}

function findKept(
  steps: readonly EditStep[],
  points: Exclude<Pointer, { readonly culprit: Culprit }>,
): readonly EditStep[] {
  if ('program' in points) return steps.filter((step) => 'from' in step && step.at === 0);
  if ('sole' in points) return findSole(steps, points.message);
  const isPointedAt = (word: EditWord): boolean => {
    const typed = toTyped(word);
    if ('words' in points && points.words.some((one) => typed === one || typed.startsWith(`${one}=`))) return true;
    return !('words' in points) && 'message' in points && isNamedIn(points.message, typed);
  };
  const named = steps.filter((step) => listWords(step).some(isPointedAt));
  return named.length === 0 && steps.length === 1 ? steps : named;
}

/** The only difference, or options that only came: together they made the command work, unless the error names some. */
function findSole(steps: readonly EditStep[], message: string): readonly EditStep[] {
  const isOnlyMore = steps.every(bringsOnlyOption) && steps.length <= MAX_ADDED;
  if ((steps.length > 1 && !isOnlyMore) || steps.some(isOtherObject)) return [];
  const named = steps.filter((step) => listWords(step).some((word) => isNamedIn(message, toTyped(word))));
  return named.length === 0 ? steps : named;
}

const MAX_ADDED = 3;

function bringsOnlyOption(step: EditStep): boolean {
  return 'from' in step && step.at !== 0 && step.from.length === 0 && isOption(toTyped(step.to[0] ?? ''));
}

/** With other objects, or other members of a list, the command asks for something else. */
function isOtherObject(step: EditStep): boolean {
  if (!('from' in step)) return 'list' in step;
  const gone = step.from.map(toTyped);
  const isNew = (word: EditWord): boolean => isOption(toTyped(word)) && !gone.includes(toTyped(word));
  return step.at !== 0 && step.from.length > 0 && step.to.length > 0 && !step.to.some(isNew);
}

/** What the only difference brings is needed again: a name or a path that a project keeps using. */
function keepLasting(step: EditStep): EditStep {
  if (!('from' in step) || (step.from.length > 0 && step.at !== 0)) return step;
  const isLasting = ({ any, object = '' }: Hole): boolean =>
    LASTING.has(any) && object !== '' && !TEMPORARY.test(object);
  return { ...step, to: step.to.map((word) => (isHole(word) && isLasting(word) ? toTyped(word) : word)) };
}

/** Kinds of words that a project or a program keeps using. */
const LASTING: ReadonlySet<string> = new Set(['name', 'path', 'number', 'text', 'url']);
const TEMPORARY = /^["']?(?:\/private)?\/(?:tmp|var\/folders)\/|\s|^\d{5,}$/;

/** Options that came together came one by one: each may be needed without the others. */
function splitAdded(step: EditStep): readonly EditStep[] {
  if (!('from' in step) || step.at === 0) return [step];
  // One option for another; what came behind it came as well.
  const isSwap = step.from.length === 1 && isOption(toTyped(step.to[0] ?? ''));
  if (!isSwap && step.from.some((word) => isOption(toTyped(word)))) return [step];
  const starts = step.to.flatMap((word, i) => (isOption(toTyped(word)) && !(isSwap && i === 0) ? [i] : []));
  // What stands behind `--` belongs to it.
  if (step.to.includes('--')) return [step];
  const [first = step.to.length] = starts;
  const head = { ...step, to: step.to.slice(0, first) };
  const before = head.to.at(-1);
  const at = typeof before === 'string' ? before : (step.at ?? END);
  const groups = starts.map((start, n) => ({ from: [], to: step.to.slice(start, starts[n + 1]), at }));
  // Each is put right behind `at`: the last one first, so that their order stays.
  const added = at === END ? groups : groups.toReversed();
  return step.from.length + head.to.length === 0 ? added : [head, ...added];
}

function listWords(step: EditStep): readonly EditWord[] {
  if ('from' in step) return [...step.from, ...step.to];
  return 'list' in step ? step.list : [];
}

/** The same words before and after. */
function isIdle(step: EditStep): boolean {
  return 'from' in step && step.from.length > 0 && JSON.stringify(step.from) === JSON.stringify(step.to);
}

/** Values of options and variables are told by their kind, unless the error names them. */
function hideUnnamed(step: EditStep, message: string, own: readonly string[]): EditStep {
  if (!('from' in step)) return step;
  const { from, at } = step;
  // The last word of what takes a program's place is the program that runs: `tsx` of `npx -y tsx`.
  const last = at === 0 && from.length > 0 ? step.to.at(-1) : undefined;
  const kept = typeof last === 'string' ? [...own, last] : own;
  return { ...step, to: hide(step.to, { from, message, own: kept }) };
}

interface Shown {
  readonly from: readonly EditWord[];
  readonly message: string;
  readonly own: readonly string[];
}

function hide(words: readonly EditWord[], { from, message, own }: Shown): readonly EditWord[] {
  return words.map((word, i): EditWord => {
    if (typeof word !== 'string') return word;
    const [, prefix, value] = /^(--?[A-Za-z][\w-]*=|[A-Za-z_]\w*=)(.+)$/s.exec(word) ?? [];
    if (prefix !== undefined && value !== undefined) {
      const isKept =
        isNamedValue(prefix.slice(0, -1), value, message) ||
        isReplaced(from[i], prefix, message) ||
        isSwitch(prefix, value);
      return isKept ? word : { any: 'name', prefix };
    }
    const before = words[i - 1];
    const isValue = typeof before === 'string' && isOption(before) && !/[=]|^--$/.test(before) && !isOption(word);
    if (!isValue || own.includes(word) || isNamedValue(before, word, message)) return word;
    return from[i - 1] === before && isReplaced(from[i], '', message) ? word : { any: 'name' };
  });
}

/** A variable that is switched on or off, or names the program that does nothing, has the same value on every day. */
function isSwitch(prefix: string, value: string): boolean {
  return /^[A-Z]/.test(prefix) && /^(?:true|false|yes|no|on|off|0|1)$/.test(value);
}

/** It stands where the error rejects a value: one word of the program's own for another. */
function isReplaced(gone: EditWord | undefined, prefix: string, message: string): boolean {
  return typeof gone === 'string' && gone.startsWith(prefix) && isNamedIn(message, gone.slice(prefix.length));
}

/** With its option: one value among others that the error lists was the choice of that day. */
function isNamedValue(option: string, value: string, message: string): boolean {
  return new RegExp(`${toLiteral(option)}[\\s=]+["'\`]?${toLiteral(value)}(?![\\w-])`).test(message);
}

interface KeptStep {
  readonly step: EditStep;
  /** Words of the step that are no objects of that day: the culprit, and the word that took its place. */
  readonly lasting: readonly string[];
}

/** Undefined where nobody can tell which difference made the command work. */
function keepCulprit(steps: readonly EditStep[], culprit: Culprit, own: readonly string[]): KeptStep | undefined {
  const named = steps.filter((step) => findNamed(step, culprit) >= 0);
  const [step] = named.length === 0 && steps.length === 1 ? steps : named;
  if (step === undefined || named.length > 1) return undefined;
  if (named.length === 0) {
    if (!isOtherMeans(step) || splitAdded(step).length > 1) return undefined;
    return { step: hideUnnamed(step, culprit.message, own), lasting: [] };
  }
  if (!('from' in step)) return { step: narrowList(step, (word) => word === culprit.word), lasting: [culprit.word] };
  // A word that went while another option came may have moved there, or may have been replaced by it.
  if (step.to.length === 0 && steps.some((other) => other !== step && bringsOption(other))) return undefined;
  const at = findNamed(step, culprit);
  const narrowed = culprit.role === 'option' ? narrowOption(step, at) : narrowWord(step, at);
  if (narrowed === undefined) return undefined;
  // In the same place among the words of the step; an option stands first, and its value second.
  const come = culprit.role === 'option' ? undefined : narrowed.to[narrowed.from.length - 1];
  const isMoved = come !== undefined && narrowed.from.some((word) => isHole(word) && toObject(word) === toObject(come));
  const lasting = culprit.absent === true || come === undefined || isMoved ? [] : [toObject(come)];
  return { step: narrowed, lasting: [culprit.word, ...lasting] };
}

/** The only difference between the two calls, which leaves the culprit in place: another program, an added option, quotes. */
function isOtherMeans(step: EditStep): boolean {
  return 'quote' in step || ('from' in step && (step.at === 0 || step.from.length === 0));
}

function bringsOption(step: EditStep): boolean {
  if (!('from' in step)) return false;
  const [gone, come] = [step.from, step.to].map((words) => words.filter((word) => isOption(toTyped(word))).length);
  return (come ?? 0) > (gone ?? 0);
}

function findNamed(step: EditStep, { word, cluster, role }: Culprit): number {
  if ('list' in step) return step.list.includes(word) ? 0 : -1;
  if (!('from' in step) || step.at === 0) return -1;
  const isNamed = (text: string): boolean => {
    if (text === word || text === cluster) return true;
    if (role === 'option') return text.startsWith(`${word}=`);
    const isAttached = role === 'value' && /^-\w/.test(text) && text.slice(2) === word;
    return isAttached || (role === 'value' && text.endsWith(`=${word}`));
  };
  return step.from.findIndex((one) => isNamed(toTyped(one)));
}

/**
 * An option and the word behind it, which may be its value or what the command is done to. Where that word changed with the
 * option, the new one is only a hole: the lesson tells the option, and gives no later call a value of that day.
 */
function narrowOption({ from, to }: WordStep, at: number): WordStep | undefined {
  const [option] = to;
  // Its value became a word of the command: `send web <text>` for `send web -m <text>`.
  const isBare =
    at === 0 && from.length === 2 && to.length === 1 && !isOption(toTyped(option ?? '')) && isHole(from[1] ?? '');
  if (isBare) return { from: from.slice(0, 1), to: [] };
  if (at !== 0 || (option !== undefined && !isOption(toTyped(option)))) return undefined;
  const isEven = from.length === to.length;
  const [gone, come] = isEven ? [from.slice(0, 2), to.slice(0, 2)] : [from, to];
  if (gone.length > 2 || [...gone.slice(1), ...come.slice(1)].some((word) => isOption(toTyped(word)))) {
    return undefined;
  }
  if (come.length > 2) return undefined;
  if (come.length < 2) return { from: gone.map(openValue), to: come.map(openValue) };
  return { from: hideValues(gone).map(openValue), to: hideValues(come).map(openValue) };
}

/** `--env=prod` as `--env=` and an object: the next call has another one. */
function openValue(word: EditWord): EditWord {
  const [, prefix, object] = /^(--?[A-Za-z][\w-]*=)(.+)$/s.exec(typeof word === 'string' ? word : '') ?? [];
  return prefix === undefined || object === undefined ? word : { any: 'name', prefix, object };
}

function hideValues(words: readonly EditWord[]): readonly EditWord[] {
  return words.map((word, i) => {
    const isValue = i > 0 && typeof word === 'string' && !isOption(word) && isOption(toTyped(words[i - 1] ?? ''));
    return isValue ? { any: 'name', object: word } : word;
  });
}

/** The word alone, with the option that it is the value of. */
function narrowWord({ from, to }: WordStep, at: number): WordStep | undefined {
  const start = at > 0 && isOption(toTyped(from[at - 1] ?? '')) ? at - 1 : at;
  if (from.length === to.length) return { from: from.slice(start, at + 1), to: to.slice(start, at + 1) };
  // More words for one: which of them were needed is not known, so their values are told by kind only.
  const isAlone = start === 0 && from.length === at + 1;
  const hasValue = to.some((word) => /^--?[^=]+=/.test(toTyped(word)));
  return isAlone && !hasValue ? { from, to: hideValues(to) } : undefined;
}

function toObject(word: EditWord): string {
  return typeof word === 'string' ? word : (word.object ?? '');
}

function toTyped(word: EditWord): string {
  return typeof word === 'string' ? word : `${word.prefix ?? ''}${word.object ?? ''}`;
}
