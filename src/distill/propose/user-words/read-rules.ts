/**
 * The rules and omissions that the sentences of a user state: what is to be done, what not, and at which moment. Questions,
 * doubts, and what is said for this moment only state none: a rule that is missed costs little, one that nobody stated costs
 * a wrong lesson.
 */

import { findThings, type Known, type Thing } from './named-things.ts';
import { type Clause, FIRM, PARTS, type Part, type Parts, type Pointer, readClause } from './read-clause.ts';
import { LANGUAGES, type Role } from './rule-words.ts';
import { splitSentence } from './split-sentence.ts';

/** `standing`: said for good. `blame`: the agent left something out. `remind`: a rule only with a moment or edits. */
export type Force = 'standing' | 'blame' | 'remind' | 'ours' | 'none';

export interface Rule extends Omit<Clause, 'isOther' | 'lacking'> {
  /** The sentence itself. */
  readonly words: string;
  readonly force: Force;
}

export interface Reading extends Rule {
  readonly isVoid: boolean;
  /** No language explains it. */
  readonly isUnread: boolean;
}

export interface Message {
  readonly rules: readonly Rule[];
  /** All sentences, also those that state nothing. */
  readonly readings: readonly Reading[];
}

export function readMessage(sentences: readonly string[], known: Known): Message {
  const readings = sentences.map((sentence) => readSentence(sentence, known));
  const rules: Reading[] = [];
  for (const reading of readings) {
    // What is said for good may stand behind the reason.
    const isBack = isHeading(reading) && rules.length > 1 && !has(rules.at(-1) as Reading, ...PARTS);
    const before = rules.at(isBack ? -2 : -1);
    const joined = before && join(before, reading);
    if (joined !== undefined) rules.splice(isBack ? -2 : -1, isBack ? 2 : 1);
    rules.push(joined ?? reading);
  }
  return {
    readings,
    rules: rules.map(dropPointed).filter((rule) => !rule.isVoid && (has(rule, ...PARTS) || isNameless(rule))),
  };
}

/** "Delete old.ts, we never use it": nobody knows what is never used. */
function dropPointed(rule: Reading): Reading {
  const { pointer, roles } = rule;
  if (pointer === undefined || has(rule, pointer.part)) return rule;
  const left = new Set([...roles].filter((role) => !FIRM.includes(role)));
  return { ...rule, roles: left, force: toForce(left) };
}

/** "You forgot the changelog", "use main, not master": the calls after the words show what is meant. */
function isNameless({ force, named, roles }: Reading): boolean {
  return named.length === 0 && (force === 'blame' || roles.has('not') || roles.has('instead-of'));
}

function has(parts: Parts, ...wanted: readonly Part[]): boolean {
  return wanted.some((part) => parts[part].length > 0);
}

/** Two sentences that state one rule together. */
function join(before: Reading, next: Reading): Reading | undefined {
  if (next.isVoid) return undefined;
  const words = `${before.words} ${next.words}`;
  const merged = merge([before, next], words);
  if (isHeading(before) || (isHeading(next) && has(before, 'wanted', 'unwanted') && !before.isVoid)) return merged;
  const found = findParts(before, next);
  if (found !== undefined) return { ...merge([{ ...next, ...found }], words), named: merged.named };
  // "You ran x without -y. Never do that."
  if (next.pointer !== undefined && before.roles.has('did') && has(before, 'without')) return merged;
  if (before.isVoid || next.roles.has('blame')) return undefined;
  // "No x without a plan. `y` first."
  const isFirst = FIRST.test(next.words) && next.force === 'none' && has(next, 'wanted') && before.wanted.length === 0;
  if (isFirst && has(before, 'unwanted')) return { ...merged, wanted: [], without: next.wanted };
  return areHalves(before, next) ? merged : undefined;
}

/** What the next sentence says of the things that this one names. */
function findParts({ named, isVoid, ...before }: Reading, next: Reading): Partial<Parts> | undefined {
  const { pointer } = next;
  const isOpen = isVoid || !has(before, 'wanted', 'unwanted', 'before', 'after', 'without');
  const found = pointer === undefined || has(next, pointer.part) ? [] : findPointed(named, pointer);
  if (pointer !== undefined && found.length > 0 && isOpen) return { [pointer.part]: found };
  const files = named.filter(({ kind }) => kind === 'file');
  // "Those two belong together."
  if (next.roles.has('sync') && next.named.length === 0 && files.length > 1) return { wanted: files };
  // "x fails here. Use y instead."
  const wrong = named.filter(({ kind }) => kind === 'command');
  const isInstead = /\binstead\b(?! of)/i.test(next.words) && has(next, 'wanted') && next.unwanted.length === 0;
  return isInstead && wrong.length > 0 ? { unwanted: wrong } : undefined;
}

/** "Lesson learned:", "That goes for all of them.": it holds for the sentence beside it. */
function isHeading({ isVoid, roles, named, before, others, words }: Reading): boolean {
  const isAlone = others <= (roles.has('always') ? 2 : 0) || /[:：]$/.test(words) || STANDING_FIRST.test(words);
  const isMoment = before.length === named.length;
  return !isVoid && (roles.has('standing') || roles.has('always')) && isMoment && isAlone;
}

const STANDING_FIRST = new RegExp(`^\\W*(?:(?:${LANGUAGES.english.ask}) )*(?:${LANGUAGES.english.standing})`, 'i');
/** What is to be done first stands in the place of nothing. */
const FIRST = /(?<![\p{L}])(?:first|zuerst|erst|d'abord|primero|primeiro|prima|eerst|сначала)(?![\p{L}])/iu;

/** What is wanted stands in one sentence, and what is not in the other. */
function areHalves(before: Reading, next: Reading): boolean {
  // "Tests don't live in src/. They belong in test/."
  if (before.roles.has('put') && next.verbs.has('put') && before.wanted.length * next.wanted.length === 0) return true;
  // "x.ts is generated, don't touch it. Change y and run z."
  const isKept =
    before.unwanted.length > 0 && before.unwanted.every(({ kind }) => kind === 'file') && before.wanted.length === 0;
  if (isKept && next.force === 'none' && next.wanted.length > 0 && next.unwanted.length === 0) return true;
  const isPlain = (one: Reading): boolean => !has(one, 'before', 'after', 'without') && one.open.size === 0;
  const isRun = (things: readonly Thing[]): boolean =>
    things.length > 0 && things.every(({ kind }) => kind === 'command');
  const isPair = ([one, other]: readonly [Part, Part]): boolean =>
    isRun(before[one]) && before[other].length === 0 && isRun(next[other]) && next[one].length === 0;
  // "We don't use npm. Use pnpm."
  const isSplit = isPair(['unwanted', 'wanted']) || isPair(['wanted', 'unwanted']);
  return isSplit && isPlain(before) && isPlain(next) && !FIRST.test(next.words);
}

/** "It" is the first of the things that can be meant, "them" are all. */
function findPointed(things: readonly Thing[], { verb, isOne }: Pointer): readonly Thing[] {
  const kinds =
    verb === 'change' ? ['file'] : verb === 'use' || verb === 'run' ? ['command'] : ['file', 'command', 'option'];
  return things.filter(({ kind }) => kinds.includes(kind)).slice(0, isOne ? 1 : things.length);
}

function merge(readings: readonly Omit<Reading, 'words'>[], words: string): Reading {
  const roles = new Set(readings.flatMap((one) => [...one.roles]));
  return {
    ...(Object.fromEntries(PARTS.map((part) => [part, readings.flatMap((one) => one[part])])) as unknown as Parts),
    ...{ words, roles, force: toForce(roles), isVoid: false, isUnread: false },
    signs: new Set(readings.flatMap((one) => [...one.signs])),
    verbs: new Set(readings.flatMap((one) => [...one.verbs])),
    open: new Set(readings.flatMap((one) => [...one.open])),
    named: readings.flatMap((one) => one.named),
    others: readings.reduce((sum, one) => sum + one.others, 0),
    pointer: readings.find(({ pointer }) => pointer !== undefined)?.pointer,
  };
}

function toForce(roles: ReadonlySet<Role>): Force {
  const hasRole = (...wanted: readonly Role[]): boolean => wanted.some((role) => roles.has(role));
  if (hasRole('standing', 'always', 'never', 'hands-off')) return 'standing';
  if (hasRole('blame', 'stale') || (hasRole('did') && hasRole('without'))) return 'blame';
  if (hasRole('sync')) return 'standing';
  if (hasRole('ours')) return 'ours';
  return hasRole('remind', 'must', 'put', 'case', 'without') ? 'remind' : 'none';
}

const QUESTION = /[?？]\W*$/;
/** "…, ok?" asks nothing. */
const TAG =
  /[,;.] ?(?:remember|right|ok|okay|please|yes|got it|understood|oder|ja|klar|ok ya|vale|d'accord|compris|entendido|beleza|certo|va bene|capito|begrepen|хорошо)[?？]\W*$/i;
/** "Could you use pnpm instead?" is no question either. */
const COURTESY =
  /^\W*(?:please[, ]+)?(?:can|could|would|will) you (?:please |just |also |always |never |from now on )*(?:use|run|update|bump|stop|not|avoid|make sure|remember|never|always)\b/i;

function readSentence(sentence: string, known: Known): Reading {
  const { things, masked } = findThings(sentence, known);
  const clauses: Clause[] = [];
  const split = splitSentence(masked, things);
  for (const clause of split) clauses.push(readClause(clause, clauses.at(-1)));
  const reading = {
    ...merge(
      clauses.map((clause) => ({ ...clause, force: 'none', isVoid: false, isUnread: false })),
      sentence,
    ),
    named: things,
  };
  const isBlame = reading.roles.has('blame');
  const isPolite =
    TAG.test(sentence) || (COURTESY.test(sentence) && (reading.force !== 'none' || has(reading, 'unwanted')));
  const isAsked = QUESTION.test(sentence) && !isBlame && !isPolite;
  const isOpen = !isBlame && split.flat().some((item) => 'role' in item && item.role === 'open');
  // Several words between quotation marks are somebody else's.
  const isQuote = /"[^"]*\s[^"]*"/.test(masked);
  const letters = masked.match(/\p{L}/gu)?.length ?? 0;
  const read = split.flat().reduce((sum, item) => sum + ('role' in item ? item.text.length : 0), 0);
  return {
    ...follow(reading),
    isVoid: isQuote || isAsked || isOpen,
    isUnread: letters > MIN_LETTERS && read < letters * MIN_READ,
  };
}

const MIN_LETTERS = 12;
const MIN_READ = 0.2;

/** "x.ts is generated, don't touch it": what was named before the word that points at it. */
function follow(reading: Reading): Reading {
  const { pointer: said, wanted, named, roles, verbs } = reading;
  // "x.ts is generated, no changes by hand please"
  const isKept = roles.has('hands-off') && (roles.has('not') || roles.has('never')) && verbs.has('change');
  const pointer =
    said ??
    (isKept ? ({ at: Number.POSITIVE_INFINITY, part: 'unwanted', verb: 'change', isOne: true } as const) : undefined);
  if (pointer === undefined || has(reading, pointer.part)) return reading;
  const found = findPointed(
    named.filter(({ at }) => at < pointer.at),
    pointer,
  );
  const left = wanted.filter((one) => !found.includes(one));
  return found.length === 0 ? reading : { ...reading, wanted: left, [pointer.part]: found };
}

const REJECTED =
  /^\W*(?:(?:oh|hey|ah|um|sorry|please|ok|okay|hm+),? )*(?:no|nope|nah|nono|wrong|stop|nein|falsch|non|faux|não|errado|sbagliato|nee|fout|нет|不对|不是|違|아니)(?:[,.!:; ]|$)|\b(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|what i))/i;

/** Does the sentence set something right, so that the calls around it may show what? */
export function isRejecting({ words, roles, force, unwanted }: Rule): boolean {
  if (REJECTED.test(words) || force === 'blame' || force === 'standing' || force === 'ours') return true;
  return unwanted.length > 0 || roles.has('not') || roles.has('instead-of') || roles.has('remind');
}
