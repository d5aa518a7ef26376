/**
 * Learns a template from a failing line and the line that worked, and joins the templates of two such pairs: the most
 * specific template that makes each fixed line of its failing one (after D'Antoni, Singh and Vaughn, NoFAQ, 2017). From
 * one pair, words of the failing command that recur are copies, and the rest are constants; a second pair removes what
 * it contradicts.
 */

import { dropAbsent } from '../../base/records.ts';
import {
  applyTemplate,
  type CopiedWord,
  type Cut,
  type ErrorWord,
  type LineCommand,
  listLineCommands,
  readSource,
  type TemplateStep,
  toFlat,
  type WordForm,
  type WordSource,
} from '../../base/shell/command-template.ts';
import { toPlainSubCommand } from '../../base/shell/command-words.ts';
import { findObjectKind, isPlainWord } from '../../base/shell/object-kind.ts';
import { BASH, parseCommand } from '../../base/shell/parse-command.ts';
import { findFacts } from '../../base/shell/programs/all-facts.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { isInterpreter } from '../../base/shell/sub-commands.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';

/** Longer lines do more than one thing. */
const MAX_LINE_CHARS = 1000;
const MAX_WORDS = 24;
const MAX_COMMANDS = 3;
const MAX_SOURCES = 12;

export interface Pair {
  readonly failing: string;
  readonly fixing: string;
  /** The error of the failing line. */
  readonly message: string;
}

export interface Learned {
  readonly step: TemplateStep;
  /** The failing command without wrappers, and the commands that took its place. */
  readonly failed: SimpleCommand;
  readonly made: readonly SimpleCommand[];
  /** Words of the failing command as typed; those that the template fits literally; those that the fix repeats. */
  readonly words: readonly string[];
  /** The index of the program behind wrappers and variables. */
  readonly head: number;
  readonly literal: readonly boolean[];
  readonly copied: readonly boolean[];
}

/** Undefined where the two lines are not one command and the commands in its place. */
export function learnTemplate(pair: Pair): Learned | undefined {
  const { failing, fixing, message } = pair;
  if (failing.length > MAX_LINE_CHARS || fixing.length > MAX_LINE_CHARS) return undefined;
  const change = findChange(listLineCommands(failing), listLineCommands(fixing));
  if (change === undefined) return undefined;
  const { from, to, join } = change;
  const failed = parseCommand(toLine(from), BASH).at(-1);
  const made = to.map((one) => parseCommand(toLine(one), BASH).at(-1)).filter((one) => one !== undefined);
  const words = from.words.map(({ text }) => text);
  const redirected = words.findIndex((word) => REDIRECTION.test(word));
  const own = redirected < 0 ? words.length : redirected;
  const head = own - 1 - (failed?.args.length ?? own);
  if (failed === undefined || made.length < to.length || head < 0) return undefined;
  const view = { words, head, failed, made, message, to: to.map((one) => one.words.map(({ text }) => text)) };
  const literal = words.map((_, i) => isLiteral(view, i));
  const make = view.to.map((line) => line.map((word, at) => listSources(word, at, { ...view, literal })));
  const copied = words.map((_, i) => make.flat().some(([first]) => isCopy(first) && first.copy === i));
  const of = words.map((word, i): WordForm => (literal[i] ? word : toForm(word, i, { head, make })));
  const plain: TemplateStep = { of, make, ...(join === undefined ? {} : { join }) };
  const open = toOpen(plain);
  const step = open !== undefined && isCanonical(open, plain) ? open : plain;
  return isRight(step, pair) ? { step, failed, made, words, head, literal, copied } : undefined;
}

const REDIRECTION = /^(?:\d*[<>]|&>)/;
/** An option with its value. */
const VALUED = /^--?[A-Za-z][\w-]*=(?=.)/;

/** The template makes the fixed line of the failing one. */
export function isRight(step: TemplateStep, { failing, fixing, message }: Pair): boolean {
  try {
    return toPlain(applyTemplate(step, failing, message)) === toPlain(fixing);
  } catch {
    return false;
  }
}

function toPlain(line: string): string {
  return line
    .trim()
    .replace(/\s*(;|&&|\|)\s*/g, '$1')
    .replace(/\s+/g, ' ');
}

interface Change {
  readonly from: LineCommand;
  readonly to: readonly LineCommand[];
  readonly join?: '&&' | '|';
}

/** The one command that differs, and what took its place. A command that was only added belongs to the next one. */
function findChange(
  before: readonly LineCommand[] | undefined,
  after: readonly LineCommand[] | undefined,
): Change | undefined {
  if (before === undefined || after === undefined) return undefined;
  const isSame = (a: LineCommand | undefined, b: LineCommand | undefined): boolean =>
    a !== undefined && b !== undefined && toLine(a) === toLine(b);
  let start = 0;
  while (start < before.length - 1 && isSame(before[start], after[start])) start++;
  let end = 0;
  while (end < before.length - start - 1 && isSame(before.at(-1 - end), after.at(-1 - end))) end++;
  const to = after.slice(start, after.length - end);
  const [from, ...more] = before.slice(start, before.length - end);
  if (from === undefined || more.length > 0 || to.length === 0 || to.length > MAX_COMMANDS) return undefined;
  const all = [from, ...to];
  if (all.some(({ words }) => words.length > MAX_WORDS)) return undefined;
  const joins = new Set(to.slice(1).map(({ join }) => join));
  const [join] = joins;
  if (joins.size > 1 || (to.length === 1 && isSame(from, to[0]))) return undefined;
  return { from, to, ...(join === '&&' || join === '|' ? { join } : {}) };
}

function toLine({ words }: LineCommand): string {
  return words.map(({ text }) => text).join(' ');
}

interface View {
  readonly words: readonly string[];
  /** The index of the program behind wrappers. */
  readonly head: number;
  readonly failed: SimpleCommand;
  readonly made: readonly SimpleCommand[];
  readonly message: string;
  readonly to: readonly (readonly string[])[];
}

/** Does the next command need this very word? Programs, sub-commands and options are such words, objects are not. */
function isLiteral(view: View, i: number): boolean {
  const { words, head, failed, made, message, to } = view;
  const word = words[i] ?? '';
  const isObject = findObjectKind({ text: word, value: word }) !== undefined;
  if (i <= head) return i < head || !isObject || !/^\.\/|\.[A-Za-z]\w{0,5}$/.test(word) || !isRepeated(word, to);
  // Redirections alone are no objects.
  if (REDIRECTION.test(word))
    return i === 0 || isOption(words[i - 1] ?? '') || isLiteral(view, i - 1) || !isInOrder(view, i - 1);
  if (isOption(word)) return !isInOrder(view, i) && !isSplit(word, to);
  // In another order of the same words, the last one was the verb.
  const isOrder = to.length === 1 && String(words.toSorted()) === String(to[0]?.toSorted());
  if (isOrder && i === words.length - 1) return !isObject && to[0]?.at(-1) !== word;
  const isKept =
    made.some(({ program, args }) => program === failed.program && args[i - head - 1]?.text === word) &&
    to.flat().filter((one) => one === word).length === 1;
  if (toPositionals(failed)[0] === word && isInterpreter(failed.program)) return isKept;
  const sub = toPlainSubCommand(failed);
  const at = sub.indexOf(word);
  if (at < 0 || toPositionals(failed)[at] !== word) return false;
  // The first word of a program that we do not know is an object if the error is about it.
  const isAbout = findFacts(failed.program) === undefined && isNamedIn(message, word);
  return isRepeated(word, to) ? isKept && !isAbout : true;
}

/** The fix gives the value of an option as a word of its own. */
function isSplit(word: string, to: View['to']): boolean {
  return VALUED.test(word) && !to.flat().includes(word) && isRepeated(word, to);
}

/** Whole or in part: `foo` in `foo.java`. */
function isRepeated(word: string, to: View['to']): boolean {
  return to.flat().some((one) => one === word || listParts(word, 0, one).length > 0);
}

/** The fix ends with this word and all that follow it. */
function isInOrder({ words, to }: View, i: number): boolean {
  const rest = words.slice(i);
  return JSON.stringify(to.at(-1)?.slice(-rest.length)) === JSON.stringify(rest);
}

interface Sourcing extends View {
  readonly literal: readonly boolean[];
}

/** All that a word of the fix may come from, the likeliest first. */
function listSources(word: string, at: number, view: Sourcing): readonly [WordSource, ...WordSource[]] {
  const { words, literal, message } = view;
  const equal = words
    .flatMap((one, i) => (one === word ? [i] : []))
    .sort((a, b) => Number(b === at) - Number(a === at));
  const copies = equal.map((copy): CopiedWord => ({ copy }));
  const [first] = equal;
  if (first !== undefined && literal[first]) return [word, ...copies];
  const parts = words.flatMap((one, i) => (literal[i] || one === word ? [] : listParts(one, i, word)));
  const own = [...copies, ...parts].slice(0, MAX_SOURCES);
  const args = words.map((text) => ({ text, value: text }));
  // A program is never taken from the words of an error.
  const said = at === 0 ? [] : listNamed(word, message).filter((one) => isMade(one, word, args, message));
  const isObject = findObjectKind({ text: word, value: word }) !== undefined && !isOption(word);
  const isOffered = said.some((one) => OFFERING.test(one.told));
  const isNamed = said.length > 0 && (isObject || isOffered);
  const [source, ...more] = own.length > 0 ? [...own, ...said, word] : isNamed ? [...said, word] : [word, ...said];
  return [source ?? word, ...more];
}

/** The words before a proposal. */
const OFFERING = /\b(?:mean|meant|could be|try|use|perhaps|maybe|instead|these|similar|closest|suggest\w*)\b/i;

function isMade(
  source: WordSource,
  word: string,
  args: readonly { text: string; value: string }[],
  message: string,
): boolean {
  try {
    return String(readSource(source, args, message)) === word;
  } catch {
    return false;
  }
}

const SIGNS = ['://', '/', '.', ':', '@', '=', '-', '_', ','];
const MAX_PART_CHARS = 100;

/** How a word can be made of another one: a part of it between signs, with text before and behind. */
function listParts(from: string, copy: number, to: string): readonly CopiedWord[] {
  if (!isPlainWord(from) || !isPlainWord(to) || Math.max(from.length, to.length) > MAX_PART_CHARS) return [];
  const ends = listCuts(from, false);
  const args = Array.from({ length: copy + 1 }, () => ({ text: from, value: from }));
  return listCuts(from, true)
    .flatMap((start) => ends.flatMap((end) => findPart(from, to, start, end) ?? []))
    .sort((a, b) => a.cost - b.cost)
    .map(({ part }) => ({ copy, ...part }))
    .filter((source) => isMade(source, to, args, ''))
    .slice(0, MAX_SOURCES);
}

function findPart(from: string, to: string, start: PlacedCut, end: PlacedCut) {
  const core = from.slice(start.index, end.index);
  const at = core === '' ? -1 : to.indexOf(core);
  if (at < 0 || from === to) return undefined;
  const [prefix, suffix] = [to.slice(0, at), to.slice(at + core.length)];
  if (![prefix, suffix].every((text) => AFFIX.test(text))) return undefined;
  const isLong = core === from && core.length >= MIN_CORE;
  if (!isLong && (/[A-Za-z0-9]$/.test(prefix) || /^[A-Za-z0-9]/.test(suffix))) return undefined;
  const part = {
    ...dropAbsent({ after: start.cut, before: end.cut }),
    ...(prefix === '' ? {} : { prefix }),
    ...(suffix === '' ? {} : { suffix }),
  };
  return { part, cost: (to.length - core.length) * 100 + start.cost + end.cost };
}

/** A longer text, or one with digits, is a name of that day. */
const AFFIX = /^[^\d\s]{0,16}$/;
/** A shorter word may stand in any other by chance. */
const MIN_CORE = 3;

interface PlacedCut {
  readonly index: number;
  readonly cut?: Cut;
  readonly cost: number;
}

function listCuts(word: string, isStart: boolean): readonly PlacedCut[] {
  const found: PlacedCut[] = [{ index: isStart ? 0 : word.length, cost: 0 }];
  for (const sign of SIGNS) {
    const [first, last] = [word.indexOf(sign), word.lastIndexOf(sign)];
    if (first < 0) continue;
    const step = isStart ? sign.length : 0;
    found.push({ index: last + step, cut: { at: sign, last: true }, cost: 1 });
    const index = isStart ? first + sign.length : last;
    const text = isStart ? word.slice(0, index) : word.slice(index);
    if (text.length > 1) found.push({ index, cut: isStart ? { at: text } : { at: text, last: true }, cost: 3 });
  }
  return found;
}

const MIN_NAMED = 2;
const MAX_BEFORE = 3;

/** Where the error names the word, or the part of it behind a sign: by the words before it, and by the sign behind it. */
function listNamed(word: string, error: string): readonly ErrorWord[] {
  const text = toFlat(error);
  const starts = [0, ...SIGNS.slice(1, 6).map((sign) => word.lastIndexOf(sign) + 1)];
  return [...new Set(starts)].flatMap((start) => {
    const core = word.slice(start);
    if (core.length < MIN_NAMED || isOption(core)) return [];
    const prefix = word.slice(0, start);
    return listPlaces(text, core).flatMap((at) => {
      const behind = text[at + core.length] ?? ' ';
      const before = text.slice(Math.max(0, at - 80), at);
      const until = /[.=@/_-]/.test(behind) && /\S/.test(text[at + core.length + 1] ?? ' ') ? { until: behind } : {};
      return listContexts(before).map((told) => ({ told, ...until, ...(prefix === '' ? {} : { prefix }) }));
    });
  });
}

const MAX_PLACES = 3;

function listPlaces(text: string, core: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(core); at >= 0 && found.length < MAX_PLACES; at = text.indexOf(core, at + 1))
    if (!/[A-Za-z0-9]/.test(text[at - 1] ?? ' ') && !/[A-Za-z0-9]/.test(text[at + core.length] ?? ' ')) found.push(at);
  return found;
}

/** The text before it, from the beginning of one of the last words on; empty at the beginning of the error. */
function listContexts(before: string): readonly string[] {
  if (before.trim() === '') return [''];
  const found: string[] = [];
  let at = before.trimEnd().length;
  for (let n = 0; n < MAX_BEFORE && at > 0; n++) {
    at = before.lastIndexOf(' ', at - 1);
    const context = before.slice(at + 1);
    if (/[A-Za-z]/.test(context)) found.push(context);
    if (at < 0) break;
  }
  return found;
}

/** The text that the fix leaves out belongs to the form (`.java` of `java file.java`), and so does the ending of a script. */
function toForm(
  word: string,
  i: number,
  { head, make }: { readonly head: number; readonly make: TemplateStep['make'] },
) {
  const copies = make.flat().flatMap((sources) => sources.filter((source) => isCopy(source) && source.copy === i));
  const isCutOff = (side: 'after' | 'before', text: string): boolean =>
    i === head ||
    (isCopy(copies[0]) && copies[0][side] !== undefined && copies.some((one) => isCopy(one) && one[side]?.at === text));
  const begins =
    (i === head ? /^\.{0,2}\// : /^(?:\.{0,2}\/|[a-z]{1,4}\.|--?[A-Za-z][\w-]*=)(?=\w)/).exec(word)?.[0] ?? '';
  const ends = /\.[A-Za-z]\w{0,5}$/.exec(word)?.[0] ?? '';
  return {
    ...(begins !== '' && isCutOff('after', begins) ? { begins } : {}),
    ...(ends !== '' && isCutOff('before', ends) ? { ends } : {}),
  };
}

export function isCopy(source: WordSource | undefined): source is CopiedWord {
  return typeof source === 'object' && 'copy' in source;
}

/** The same template for any number of words at the end, if the fix treats the last words alike. */
function toOpen(step: TemplateStep): TemplateStep | undefined {
  for (let k = 1; k < step.of.length; k++) {
    const isClosed = step.of.slice(k).every((form) => typeof form === 'object' && !form.many);
    const open = isClosed ? openFrom(step, k) : undefined;
    if (open !== undefined) return open;
  }
  return undefined;
}

/** The same for the words from `k` on, also those that it fits literally. */
function openFrom({ of, make, ...rest }: TemplateStep, k: number): TemplateStep | undefined {
  const last = make.at(-1) ?? [];
  const run = of.length - k;
  if (run < 1 || last.length <= run) return undefined;
  const ways = last
    .slice(-run)
    .map((sources, m) =>
      sources.flatMap((source) =>
        isCopy(source) && source.copy === k + m ? [JSON.stringify({ ...source, copy: k, many: true })] : [],
      ),
    );
  const shared = (ways[0] ?? []).filter((way) => ways.every((others) => others.includes(way)));
  const before = [...make.slice(0, -1), last.slice(0, -run)];
  const isFree = before.flat().every(([first]) => !isCopy(first) || first.copy < k);
  if (shared.length === 0 || !isFree) return undefined;
  const others = before.map((line) =>
    line.map((sources) => sources.filter((source) => !isCopy(source) || source.copy < k)),
  );
  const forms = of.slice(k).map((form): Shape => (typeof form === 'object' ? form : {}));
  const many = shared.map((way) => JSON.parse(way) as WordSource);
  return {
    ...rest,
    of: [...of.slice(0, k), { ...forms.reduce<Shape>(joinShapes, forms[0] ?? {}), many: true }],
    make: [...others.slice(0, -1), [...(others.at(-1) ?? []), many]],
  };
}

/** Of one pair, only words that stay as they are, or several that changed alike, tell of more words. */
function isCanonical(open: TemplateStep, { of }: TemplateStep): boolean {
  const source = open.make.at(-1)?.at(-1)?.[0];
  const isWhole = isCopy(source) && (source.after ?? source.before ?? source.prefix ?? source.suffix) === undefined;
  return isWhole || of.length > open.of.length;
}

type Shape = Exclude<WordForm, string>;

function joinShapes(a: Shape, b: Shape): Shape {
  const { begins, ends, many } = a;
  return {
    ...(begins !== undefined && begins === b.begins ? { begins } : {}),
    ...(ends !== undefined && ends === b.ends ? { ends } : {}),
    ...(many && b.many ? { many } : {}),
  };
}

/** The most specific template that agrees with both; undefined if none does. */
export function joinTemplates(a: TemplateStep, b: TemplateStep): TemplateStep | undefined {
  if (a.of.length === b.of.length && isOpen(a) === isOpen(b)) return joinWords(a, b);
  for (let k = Math.min(a.of.length, b.of.length) - 1; k > 0; k--) {
    const [x, y] = [openFrom(a, k), openFrom(b, k)];
    const joined = x && y && joinWords(x, y);
    if (joined !== undefined) return joined;
  }
  return undefined;
}

function isOpen({ of }: TemplateStep): boolean {
  const last = of.at(-1);
  return typeof last === 'object' && last.many === true;
}

function joinWords(a: TemplateStep, b: TemplateStep): TemplateStep | undefined {
  const isAlike =
    a.of.length === b.of.length &&
    a.join === b.join &&
    a.make.map(({ length }) => length).join() === b.make.map(({ length }) => length).join();
  if (!isAlike) return undefined;
  const of = a.of.map((form, i) => joinForms(form, b.of[i] ?? ''));
  const make = a.make.map((line, i) =>
    line.map((sources, k) => {
      const others = new Set(b.make[i]?.[k]?.map((one) => JSON.stringify(one)));
      return sources.filter((source) => others.has(JSON.stringify(source)));
    }),
  );
  const [head] = of;
  const isAnyProgram = typeof head === 'object' && head.begins === undefined && head.ends === undefined;
  return isAnyProgram || make.flat().some(({ length }) => length === 0) ? undefined : { ...a, of, make };
}

function joinForms(a: WordForm, b: WordForm): WordForm {
  if (a === b) return a;
  return joinShapes(typeof a === 'string' ? {} : a, typeof b === 'string' ? {} : b);
}
