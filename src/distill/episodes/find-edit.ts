/** The edit between a command that failed and the one that worked, what lasts of it, and how it is told. */
import { dropAbsent } from '../../base/records.ts';
import {
  type CommandEdit,
  type EditStep,
  type EditWord,
  END,
  editWords,
  type Hole,
  type WordStep,
} from '../../base/shell/command-edit.ts';
import { hasHalfOf, toPlainSubCommand, toTypedProgram } from '../../base/shell/command-words.ts';
import { findObjectKind, isPlainWord } from '../../base/shell/object-kind.ts';
import { BASH, parseCommand } from '../../base/shell/parse-command.ts';
import type { Argument, SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import { toBaseName } from '../../base/text/paths.ts';

const MAX_WORDS = 80;

/** Undefined where the two have too little in common: then the fix is another command, not an edit of this one. */
export function toEdit(failing: SimpleCommand, fixing: SimpleCommand): CommandEdit | undefined {
  const [a, b] = [toTypedWords(failing), toTypedWords(fixing)];
  if (failing.program === '' || a.length > MAX_WORDS || b.length > MAX_WORDS) return undefined;
  const program = findProgramStep(a, b);
  const rest = (program === undefined ? b : program.rest).slice(1);
  const args = a.slice(1);
  const quotes = toQuoteSteps(args, rest);
  if (program === undefined && isOtherOrder(args, rest) && quotes.length === 0) return undefined;
  const isReordered = quotes.length > 0 && isSameSet(args, rest);
  const hunks = isReordered ? [] : listHunks(args, rest);
  if (isOther(args, hunks)) return undefined;
  const sub = toKeptSub(failing, fixing);
  const steps: EditStep[] = [
    ...toSteps(hunks, { args, sub: toBothSub(failing, fixing) }),
    ...quotes,
    ...(program === undefined ? [] : [program.step]),
  ];
  const isOfProgram = hunks.length === 0 && program !== undefined;
  const edit = { program: failing.program, ...(isOfProgram || sub.length === 0 ? {} : { sub }), steps };
  return steps.length > 0 && makes(edit, a, isReordered ? [b[0] as Argument, ...args] : b) ? edit : undefined;
}

/** No word stays, or a value has another role than before. */
function isOther(args: readonly Argument[], hunks: readonly Hunk[]): boolean {
  const kept = args.length - hunks.reduce((sum, { from }) => sum + from.length, 0);
  if (kept === 0 && args.length > 1 && !hunks.every(isPaired)) return true;
  return hunks.some((hunk) => isCrossed(hunk, hunks));
}

/** The same words in another order. */
function isSameSet(a: readonly Argument[], b: readonly Argument[]): boolean {
  return String(a.map(toValue).sort()) === String(b.map(toValue).sort());
}

/** The same operands between the same options, in another order: the command asks for something else, so it is no correction. */
function isOtherOrder(a: readonly Argument[], b: readonly Argument[]): boolean {
  const toFrame = (words: readonly Argument[]): string =>
    words.map(({ value }) => (value.startsWith('-') ? value : '')).join('\n');
  return (
    a.length > 1 && isSameSet(a, b) && toFrame(a) === toFrame(b) && String(a.map(toValue)) !== String(b.map(toValue))
  );
}

/** The program as it was typed, and its words. */
export function toTypedWords(command: SimpleCommand): readonly Argument[] {
  const head = toTypedProgram(command);
  return [{ text: head, value: head }, ...command.args];
}

/** Given to its own failing command, it makes the fixing one. */
function makes(edit: CommandEdit, failing: readonly Argument[], fixing: readonly Argument[]): boolean {
  const steps = edit.steps.filter((step) => 'from' in step);
  const lists = edit.steps.filter((step) => 'list' in step);
  const made = editWords({ ...edit, steps }, lists.reduce(editList, failing));
  const [command, ...others] = made === undefined ? [] : parseCommand(made.map(({ text }) => text).join(' '), BASH);
  if (made === undefined || command === undefined || others.length > 0) return false;
  const [now, wanted] = [command, parseCommand(fixing.map(({ text }) => text).join(' '), BASH)[0]];
  return now.program === wanted?.program && String(now.args.map(toSorted)) === String(wanted.args.map(toSorted));
}

function editList(words: readonly Argument[], { list, by }: ListStep): readonly Argument[] {
  return words.map((word) => {
    const at = word.text.indexOf('=') + 1;
    const members = word.text.slice(at).split(',');
    if (!list.every((one) => members.includes(one))) return word;
    const text = word.text.slice(0, at) + [...members.filter((one) => !list.includes(one)), ...by].join(',');
    return { text, value: text };
  });
}

type ListStep = Extract<EditStep, { list: unknown }>;

/** The order of a list with commas does not count. */
function toSorted({ value }: Argument): string {
  return value.split(',').sort().join();
}

function toValue({ value }: Argument): string {
  return value;
}

interface ProgramStep {
  readonly step: EditStep;
  /** The fixing words as if the failing program ran them. */
  readonly rest: readonly Argument[];
}

function findProgramStep(a: readonly Argument[], b: readonly Argument[]): ProgramStep | undefined {
  const [head, other] = [a[0]?.text ?? '', b[0]?.text ?? ''];
  if (head === other) return undefined;
  // Without what it ran through: `bun run test` for `wrap bun run test`.
  const bare = a.findIndex(({ text }, i) => i > 0 && text === other);
  if (bare > 0 && bare < MAX_PREFIX) {
    const from = a.slice(0, bare + 1).map(toProgramWord);
    return { step: { from, to: from.slice(-1), at: 0 }, rest: [...a.slice(0, bare + 1), ...b.slice(1)] };
  }
  const at = b.findIndex(({ text }, i) => i > 0 && toBaseName(text) === toBaseName(head));
  const before = b.slice(0, Math.max(at, 0));
  // What it runs through: `mise exec --` of `mise exec -- go test`.
  if (at > 0 && isSameTail(a, b.slice(at))) {
    const isPlain = b[at]?.text === head;
    const words = isPlain ? before : b.slice(0, at + 1);
    const step = { from: isPlain ? [] : [head], to: words.map(toProgramWord), at: 0 };
    return { step, rest: [a[0] as Argument, ...b.slice(at + 1)] };
  }
  // `docker compose` for `docker-compose`, `python3 -m pytest` for `pytest`: what stands before the words that both have.
  const own = b.length - a.length;
  const isAdded = own > 0 && a.length > 1 && a.slice(1).every(({ value }, i) => b[own + 1 + i]?.value === value);
  const words = isAdded ? b.slice(0, own + 1) : b.slice(0, 1);
  return {
    step: { from: [head], to: words.map(toProgramWord), at: 0 },
    rest: [a[0] as Argument, ...b.slice(words.length)],
  };
}

/** It takes away what the command ran through. */
export function isUnwrapping(step: EditStep): step is WordStep {
  return 'from' in step && step.at === 0 && step.from.length > 1 && String(step.from.slice(-1)) === String(step.to);
}

const MAX_PREFIX = 4;

function isSameTail(a: readonly Argument[], b: readonly Argument[]): boolean {
  return hasHalfOf(a.slice(1).map(toValue), { args: b });
}

/** Where a program is, is how it is run here. */
function toProgramWord(word: Argument): EditWord {
  const kind = findObjectKind(word);
  const isOwn = kind === undefined || kind === 'path' || kind === 'name' || (kind === 'id' && /^[a-z]/.test(word.text));
  return isOwn || isOption(word.value) ? word.text : { any: kind, object: word.text };
}

export interface Hunk {
  readonly from: readonly Argument[];
  readonly to: readonly Argument[];
  /** Where it begins among the words of the failing command. */
  readonly at: number;
}

/** One option for another, with a value that had another role: then the second one does not stand for the first one. */
function isCrossed(hunk: Hunk, hunks: readonly Hunk[]): boolean {
  const [options, values] = [true, false].map((isName) =>
    [hunk.from, hunk.to].map((words) => words.map(toValue).filter((word) => isOption(word) === isName)),
  ) as [[string[], string[]], [string[], string[]]];
  if (options.some(({ length }) => length === 0) || String(options[0]) === String(options[1])) return false;
  const [gone, come] = values;
  return hunks.some(
    ({ from, to }) =>
      from !== hunk.from &&
      (to.some(({ value }) => gone.includes(value)) || from.some(({ value }) => come.includes(value))),
  );
}

/** By the longest common subsequence of the words. */
export function listHunks(a: readonly Argument[], b: readonly Argument[]): readonly Hunk[] {
  const isSame = (i: number, j: number): boolean => i < a.length && j < b.length && a[i]?.value === b[j]?.value;
  const common = toCommon(a.length, b.length, isSame);
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [from, to] = [i, j];
    while ((i < a.length || j < b.length) && !isSame(i, j)) {
      if (j >= b.length || (i < a.length && common(i + 1, j) >= common(i, j + 1))) i++;
      else j++;
    }
    if (i > from || j > to) hunks.push({ from: a.slice(from, i), to: b.slice(to, j), at: from });
    i++;
    j++;
  }
  return hunks;
}

/** How many words the rests of both have in common. */
function toCommon(a: number, b: number, isSame: (i: number, j: number) => boolean): (i: number, j: number) => number {
  const table = Array.from({ length: a + 1 }, () => new Array<number>(b + 1).fill(0));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = a - 1; i >= 0; i--)
    for (let j = b - 1; j >= 0; j--)
      (table[i] as number[])[j] = isSame(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}

interface Context {
  readonly args: readonly Argument[];
  /** Sub-command words of either. */
  readonly sub: readonly string[];
}

/** Words that go come before words that come: an object that moves is seen before it is put elsewhere. */
function toSteps(hunks: readonly Hunk[], context: Context): readonly EditStep[] {
  const changes = hunks.flatMap((hunk) => splitPairs(hunk));
  const removing = changes.filter(({ from }) => from.length > 0);
  const adding = changes.filter(({ from }) => from.length === 0);
  return [...removing, ...adding].map((change) => toStep(change, context));
}

/** As many words for as many: each for its own, and what stands behind an option without a value, because it may be its value. */
function splitPairs(hunk: Hunk): readonly Hunk[] {
  const { from, to, at } = hunk;
  if (!isPaired(hunk)) return [hunk];
  const isFull = (word: Argument | undefined): boolean =>
    word !== undefined && isOption(word.value) && word.value.includes('=');
  const isStart = (i: number): boolean =>
    i === 0 || isOption(from[i]?.value ?? '') || (isFull(from[i - 1]) && isFull(to[i - 1]));
  const starts = from.flatMap((_, i) => (isStart(i) ? [i] : []));
  return starts.map((start, n) => {
    const end = starts[n + 1] ?? from.length;
    return { from: from.slice(start, end), to: to.slice(start, end), at: at + start };
  });
}

/** Options for options, and other words for others. */
function isPaired({ from, to }: Hunk): boolean {
  return from.length === to.length && from.every(({ value }, i) => isOption(value) === isOption(to[i]?.value ?? ''));
}

function toStep({ from, to, at }: Hunk, { args, sub }: Context): EditStep {
  const list = from.length === 1 && to.length === 1 ? findListStep(from[0] as Argument, to[0] as Argument) : undefined;
  if (list !== undefined) return list;
  const before = args[at - 1];
  const isValue = from.length > 0 && !isOption(from[0]?.value ?? '') && before !== undefined && takesValue(before);
  const context = isValue ? [before] : [];
  const [gone, come] = [from, to].map((words) => toEditWords([...context, ...words], sub)) as [EditWord[], EditWord[]];
  return from.length > 0 ? { from: gone, to: come } : { from: [], to: come, at: toPlace(at, { args, sub }) };
}

/** Behind the program, or a word of the command's own; else at the end, where it may be another edit. */
function toPlace(at: number, { args, sub }: Context): string | number {
  const before = args[at - 1];
  if (before === undefined) return args.length === 0 ? END : 1;
  const isOwn = isPlainWord(before.text) && (isOption(before.value) || sub.includes(before.value));
  return isOwn && at < args.length ? before.text : END;
}

/** The next word may be its value. Letters that are put together (`-lh`) seldom take one. */
function takesValue({ value }: Argument): boolean {
  return isOption(value) && !value.includes('=') && value !== '--' && !/^-[A-Za-z]{2}$/.test(value);
}

/** A word that no option asks for, and that is no sub-command, is what the command is done to. */
function toEditWords(
  words: readonly Argument[],
  sub: readonly string[],
  shared: readonly string[] = [],
): readonly EditWord[] {
  return words.map((word, i) => {
    const made = toEditWord(word, sub);
    const [, prefix, object] = /^(--?[A-Za-z][\w-]*=)(.+)$/s.exec(typeof made === 'string' ? made : '') ?? [];
    if (prefix !== undefined && object !== undefined && shared.includes(word.value))
      return { any: 'name', prefix, object };
    if (typeof made !== 'string' || sub.includes(made) || isOption(made)) return made;
    const before = words[i - 1];
    const isValue = before !== undefined && takesValue(before) && !shared.includes(word.value);
    return isValue ? made : { any: 'name', object: word.text };
  });
}

export function toEditWord(word: Argument, sub: readonly string[]): EditWord {
  const { text, value } = word;
  if (sub.includes(value) && isPlainWord(text)) return text;
  const prefix = /^--?[A-Za-z][\w-]*=|^[A-Za-z_]\w*=/.exec(text)?.[0];
  if (prefix !== undefined && prefix.length < text.length) {
    const object = text.slice(prefix.length);
    const kind = findObjectKind({ text: object, value: value.slice(prefix.length) });
    return kind === undefined ? text : { any: kind, prefix, object };
  }
  if (isOption(value) && isPlainWord(text)) return text;
  const kind = findObjectKind(word);
  return kind === undefined ? text : { any: kind, object: text };
}

/** What a list with commas lost. What else it got was wanted that day, unless one member took the place of another one. */
function findListStep(from: Argument, to: Argument): EditStep | undefined {
  if (![from, to].every(({ text }) => isPlainWord(text)) || !from.text.includes(',')) return undefined;
  const head = from.text.slice(0, from.text.indexOf('=') + 1);
  if (to.text.slice(0, to.text.indexOf('=') + 1) !== head) return undefined;
  const [had, has] = [from, to].map(({ text }) => text.slice(head.length).split(',')) as [string[], string[]];
  const [list, by] = [had.filter((one) => !has.includes(one)), has.filter((one) => !had.includes(one))];
  if (list.length === 0 || list.length === had.length) return undefined;
  const isReplaced = list.length === 1 && by.length === 1 && had.indexOf(`${list[0]}`) === has.indexOf(`${by[0]}`);
  return { list, by, ...(isReplaced ? { paired: true } : {}) };
}

const SHELL_SIGNS = '?*[]{}!#&;()<>|';

/** The same word in quotes. */
function toQuoteSteps(a: readonly Argument[], b: readonly Argument[]): readonly EditStep[] {
  return a.flatMap((word) => {
    const quoted = b.find(({ text, value }) => value === word.value && /['"]/.test(text));
    const signs = [...SHELL_SIGNS].filter((sign) => word.value.includes(sign));
    if (quoted === undefined || word.text !== word.value || signs.length === 0) return [];
    const prefix = /^--?[A-Za-z][\w-]*=/.exec(word.text)?.[0];
    const own = prefix === undefined ? signs : signs.filter((sign) => word.value.slice(prefix.length).includes(sign));
    return own.length === 0 ? [] : [{ quote: own.join(''), ...(prefix === undefined ? {} : { prefix }) }];
  });
}

/** Sub-command words of either. Where one has more of them, the others may as well be what it is done to. */
function toBothSub(failing: SimpleCommand, fixing: SimpleCommand): readonly string[] {
  const [a, b] = [toOwnSub(failing), toOwnSub(fixing)];
  const depth = failing.args.length === 0 ? b.length : Math.min(a.length, b.length);
  return [...a.slice(0, depth), ...b.slice(0, depth)];
}

/** Those that look like one: where a program takes a sub-command, agents also give it paths and numbers. */
function toOwnSub(command: SimpleCommand): readonly string[] {
  const sub = toPlainSubCommand(command);
  const end = sub.findIndex((word) => {
    const kind = findObjectKind({ text: word, value: word });
    return kind !== undefined && kind !== 'name';
  });
  return end < 0 ? sub : sub.slice(0, end);
}

/** The sub-command words that both have. */
function toKeptSub(failing: SimpleCommand, fixing: SimpleCommand): readonly string[] {
  const [a, b] = [toOwnSub(failing), toOwnSub(fixing)];
  const end = a.findIndex((word, i) => word !== b[i]);
  return end < 0 ? a : a.slice(0, end);
}

/** A command with the objects in it as holes. `shared`: words that are objects whatever they look like. */
export function toTemplate(
  command: SimpleCommand,
  shared: readonly string[] = [],
  sub = toOwnSub(command),
): readonly EditWord[] {
  const [head, ...args] = toTypedWords(command);
  return [head?.text ?? '', ...toEditWords(args, sub, shared)];
}

/**
 * The edit without the objects of that day. Steps that only put one object for another say nothing of the next call.
 * `lasting`: objects that the lesson is about.
 */
export function toLasting(edit: CommandEdit, lasting: readonly string[] = []): CommandEdit | undefined {
  const objects: string[] = [];
  const last = (word: EditWord): EditWord => {
    if (!isHole(word)) return word;
    const { object, ...hole } = word;
    const isKept = object !== undefined && (lasting.includes(object) || isPlaceOfVariable(hole));
    return isKept && isPlainWord(object) ? `${hole.prefix ?? ''}${object}` : hole;
  };
  const copy = (word: EditWord): EditWord => {
    const at = isHole(word) && word.object !== undefined ? objects.indexOf(word.object) : -1;
    return isHole(word) && at >= 0 ? dropAbsent({ any: word.any, prefix: word.prefix, copy: at }) : last(word);
  };
  const steps = edit.steps.map((step): EditStep => {
    // What else was asked for at the same time stands for nothing.
    if ('list' in step) return step.paired ? step : { list: step.list, by: [] };
    if (!('from' in step)) return step;
    const from = step.from.map(last);
    objects.push(...step.from.flatMap((word, i) => (isHole(word) && isHole(from[i] ?? '') ? (word.object ?? '') : [])));
    return { ...step, from, to: step.to.map(copy) };
  });
  // Copies count the holes of all steps: none may go where one is used.
  const telling = steps.some(hasCopy) ? steps : steps.filter(isTelling);
  return telling.some(isTelling) ? { ...edit, steps: telling } : undefined;
}

/** `GOCACHE=/tmp/cache`: without the place, nobody can set it. */
function isPlaceOfVariable({ any, prefix = '' }: Hole): boolean {
  return any === 'path' && /^[A-Z_]\w*=$/.test(prefix);
}

export function hasCopy(step: EditStep): boolean {
  return 'from' in step && step.to.some((word) => isHole(word) && word.copy !== undefined);
}

export function isHole(word: EditWord): word is Hole {
  return typeof word !== 'string';
}

function isTelling(step: EditStep): boolean {
  if (!('from' in step)) return true;
  return [...step.from, ...step.to].some((word) => typeof word === 'string' || word.prefix !== undefined);
}
