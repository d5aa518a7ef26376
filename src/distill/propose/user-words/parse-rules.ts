/**
 * The rules and omissions that a user states, from the words of a prompt: what is to be done, what not, and at which
 * moment. Only the user's own words count: no pasted text, no quotation, no long message. What asks for work, doubts, or
 * tells how things are states no rule, even if it names a file: a rule that is missed costs little, one that nobody stated
 * costs a wrong lesson.
 */

import { findThings, type Known, MASK, type Thing } from './named-things.ts';
import { toOwnSentences } from './own-sentences.ts';
import { FILE_KINDS, LANGUAGES, ROLES, type Role } from './rule-words.ts';

/** `lasting`: said for good. `omission`: the agent left something out. `reminder`: a rule only with a moment or edits. */
export type Frame = 'lasting' | 'omission' | 'reminder' | 'ensured' | 'ours';

export interface StatedRule {
  /** The sentence itself. */
  readonly words: string;
  readonly frame: Frame;
  readonly wanted: readonly Thing[];
  readonly unwanted: readonly Thing[];
  /** Moments: before them, after them, and what is needed first ("never … without"). */
  readonly before: readonly Thing[];
  readonly after: readonly Thing[];
  readonly without: readonly Thing[];
  /** A moment that names nothing: "after you change the schema". */
  readonly hasOpenMoment: boolean;
  /** The same for "before": "before you hand it over". */
  readonly hasOpenBefore: boolean;
  /** The same for "without": "never push without a review". */
  readonly hasOpenWithout: boolean;
  readonly isAlso: boolean;
  /** The wanted things are to be used, not just run: in the place of others. */
  readonly isUse: boolean;
  readonly isSync: boolean;
  /** Something is to be edited. */
  readonly isChange: boolean;
  /** It names a command, a file or an option. */
  readonly isNamed: boolean;
}

export function parseRules(text: string, known: Known): readonly StatedRule[] {
  const sentences = toOwnSentences(text);
  const parsed = sentences.map((sentence) => parseAlone(sentence, known));
  const rules: StatedRule[] = [];
  for (let i = 0; i < sentences.length; i++) {
    const { rule, isHalf, isTogether } = parsed[i] ?? {};
    const before = parsed[i - 1];
    const isNear = isHalf && before?.rule === undefined && (isTogether || isShort(sentences[i - 1]));
    const isBehind = before?.isHeading || isNear;
    const whole = isBehind ? (parseSentence(`${sentences[i - 1]} ${sentences[i]}`, known).rule ?? rule) : rule;
    const advice = whole && findAdvice(whole, sentences, i, known);
    if (whole !== undefined) rules.push({ ...whole, ...advice?.parts });
    if (advice?.isNext) i++;
  }
  return rules;
}

const POINTING = /\b(?:this|that|it|das|es|ça|cela|eso|esto|isso)\b|^\S+$/i;
const HEADING = /^(?:\S+ ?){1,4}$|[:：]$/;
const MAX_SHORT_CHARS = 80;

/** "marketplace.json again! You forgot it." */
function isShort(sentence = ''): boolean {
  return sentence.length <= MAX_SHORT_CHARS;
}

/** What is to be done first stands in the place of nothing. */
const FIRST = /(?<![\p{L}])(?:first|zuerst|d'abord|primero|primeiro)(?![\p{L}])/iu;

/** "We don't use npm. Use pnpm.": what to use, and what not, stands in the sentence behind it, or before it. */
function findAdvice(rule: StatedRule, sentences: readonly string[], i: number, known: Known) {
  const isCommand = ({ kind }: Thing): boolean => kind === 'command';
  const lacks = rule.wanted.length === 0 ? 'wanted' : 'unwanted';
  const has = lacks === 'wanted' ? 'unwanted' : 'wanted';
  const isOpen = rule[lacks].length + rule.before.length + rule.after.length + rule.without.length === 0;
  const mayLack = lacks === 'wanted' || rule.frame === 'ours' || (rule.frame === 'lasting' && rule.isUse);
  if (!isOpen || rule.hasOpenWithout || !rule[has].some(isCommand) || !mayLack) return undefined;
  // "Not x. Always use y.": the session ran x.
  const isSure = (one: Thing): boolean => lacks === 'wanted' || rule.frame === 'ours' || wasRun(one, known);
  for (const at of [i + 1, i - 1]) {
    const { rule: other } = parseSentence(sentences[at] ?? '', known, true);
    if (FIRST.test(sentences[at] ?? '')) continue;
    const isOther = ({ text }: Thing): boolean => !rule[has].some((one) => one.text === text);
    const things = other?.[lacks].filter((one) => isCommand(one) && isOther(one) && isSure(one)) ?? [];
    if (other !== undefined && things.length > 0 && other[has].length + other.before.length + other.after.length === 0)
      return { parts: { [lacks]: things }, isNext: at > i };
  }
  return undefined;
}

function wasRun({ text }: Thing, { programs }: Known): boolean {
  return programs.has(text.split(/\s+/, 2).join(' '));
}

interface Mark {
  readonly role: Role;
  readonly at: number;
  readonly end: number;
}

const LATIN = '\\p{Script=Latin}\\p{N}_';
const TABLE = Object.values(LANGUAGES).map(({ words, isUnspaced }) => ({
  isEnglish: words === LANGUAGES.english?.words,
  rows: ROLES.flatMap((role) => {
    const row = words[role];
    if (row === undefined) return [];
    const source = isUnspaced ? `(?:${row})` : `(?<![${LATIN}])(?:${row})(?![${LATIN}])`;
    return [{ role, regex: new RegExp(source, 'giu') }];
  }),
}));

/** Roles that make a sentence more than a task. A language counts in a sentence that has one of its frames. */
const FRAMES: readonly Role[] = [
  ...(['lasting', 'always', 'never', 'blame', 'stale', 'remind', 'ensure', 'passive', 'ours', 'sync'] as const),
  ...(['after', 'afterBehind'] as const),
];
/** No word inside one of these counts by itself. */
const WHOLE: readonly Role[] = ['blame', 'stale', 'remind', 'ensure', 'passive', 'open', 'report', 'sync'];

function findMarks(masked: string, isAdvice: boolean): readonly Mark[] {
  const all = TABLE.flatMap(({ rows, isEnglish }) => {
    const found = rows.flatMap(({ role, regex }) =>
      [...masked.matchAll(regex)].flatMap(({ 0: word, index: at }) => {
        const isMere = isEnglish && /^(?:always|never)$/i.test(word) && !isTold(masked.slice(0, at));
        // A `never` that tells nobody still negates.
        if (isMere && role === 'always') return [];
        return { role: isMere ? ('not' as const) : role, at, end: at + word.length };
      }),
    );
    return isAdvice || found.some(({ role }) => FRAMES.includes(role)) ? found : [];
  });
  return all
    .filter((mark) => !all.some((one) => isWhole(one, mark) && one.at <= mark.at && mark.end <= one.end))
    .sort((a, b) => a.at - b.at || b.end - a.end);
}

/** `don't` of `don't forget` does not count by itself, nor does `keep` of `keep in mind`. */
function isWhole({ role }: Mark, part: Mark): boolean {
  if (WHOLE.includes(part.role)) return false;
  return WHOLE.includes(role) || (role === 'lasting' && PART_OF[part.role] === 'wanted');
}

/** `always` and `never` tell somebody to do something only in these places: "the url is always visible" does not. */
function isTold(before: string): boolean {
  const isMoment = /^\W*(?:after|when|whenever|before|once|if)\b[^,]*$/i.test(before);
  return (
    isMoment ||
    /(?:^|[,.;:!()–—¤-]|\b(?:please|just|and|but|so|should|must|to|we|you|then|also|or|use|run|(?:rule|policy|convention)(?: is)?|again)|["'])\s*$/i.test(
      before,
    )
  );
}

const QUESTION = /[?？]\W*$/;
/** "…, ok?" asks nothing. */
const TAG = /[,;.] ?(?:remember|right|ok|okay|please|yes|got it|understood|oder|ja|ok ya|vale|d'accord)[?？]\W*$/i;
/** "Could you use pnpm instead?" is no question either. */
const COURTESY =
  /^\W*(?:please[, ]+)?(?:can|could|would|will) you (?:please |just |also |always |never |from now on )*(?:use|run|update|bump|stop|not|avoid|make sure|remember|never|always)\b/i;

/** "If you change a.json, change b.json" is true whenever it happens. */
const CASE = /^(?:if|when|whenever|as soon as|any ?time|every ?time) (?:you|we)$/i;

interface Parsed {
  readonly rule?: StatedRule;
  /** "Lesson learned." and the like, which hold for the sentence behind them. */
  readonly isHeading?: boolean;
  /** What it is about may stand in the sentence before it. */
  readonly isHalf?: boolean;
  /** "Those belong together." */
  readonly isTogether?: boolean;
}

/** "And the changelog?": asked after edits, it says that something was left out. */
const ASKED_KINDS = FILE_KINDS.map(([words]) => words.replaceAll(' ', '|')).join('|');
const ASKED_FOR = new RegExp(
  `^\\W*(?:(?:and|but|so|ok|okay|hm+|und|et|y|e|mais|pero|mas|aber|what about|was ist mit),? )*(?:the |das |die |der |le |la |les |el |los |las |o |a |os |as )?(?:${ASKED_KINDS}) ?[?？]+$`,
  'iu',
);
const NOTHING = { wanted: [], unwanted: [], before: [], after: [], without: [] };
const NO_MOMENT = { hasOpenMoment: false, hasOpenBefore: false, hasOpenWithout: false };

function parseAlone(sentence: string, known: Known): Parsed {
  if (ASKED_FOR.test(sentence)) {
    const kind = { isAlso: false, isUse: false, isSync: false, isChange: true, isNamed: false };
    return { rule: { words: sentence, frame: 'omission', ...NOTHING, ...NO_MOMENT, ...kind } };
  }
  const parsed = parseSentence(sentence, known);
  return Object.keys(parsed).length > 0 ? parsed : parseContrast(sentence, known);
}

/** `isAdvice`: the sentence beside it says that it is meant for good. */
function parseSentence(sentence: string, known: Known, isAdvice = false): Parsed {
  const { things: named, masked } = findThings(sentence, known);
  if (/"[^"]*\s[^"]*"/.test(masked)) return {};
  const marks = findMarks(masked, isAdvice);
  const has = (...roles: readonly Role[]): boolean => marks.some(({ role }) => roles.includes(role));
  const things = named.flatMap((thing) => toStale(thing, marks, masked));
  const isCase = marks.some(({ role, at, end }) => role === 'after' && CASE.test(masked.slice(at, end)));
  const frame = findFrame(has) ?? (isAdvice ? 'lasting' : isCase ? 'ensured' : undefined);
  if (frame === undefined) return {};
  const isBlamed = has('blame', 'stale');
  if (!has('blame') && isOpen(sentence, has, isBlamed)) return {};
  const isWeak = frame === 'lasting' && !has('always', 'never', 'sync');
  const found = toParts(things, marks, masked, frame, isWeak);
  const parts = pointBack(found, masked);
  const isRule = namesThing(parts) && (isBlamed || !isIdle(parts, has));
  const isOmission = frame === 'omission' && things.length === 0;
  if (!isRule && !isOmission) return toHalf(sentence, parts, things.length === 0 ? has : () => false);
  const verbs = marks.filter(({ role }) => role === 'use' || role === 'run');
  return {
    isHalf: !isRule,
    rule: {
      ...{ words: sentence, frame, ...parts, isAlso: has('also'), isSync: has('sync'), isNamed: isRule },
      isChange: isBlamed || has('change', 'sync', 'passive') || isNear(marks, parts.wanted[0]),
      isUse: verbs[0]?.role === 'use' || (verbs.length === 0 && has('always')),
    },
  };
}

/** A sentence that states no rule by itself. `has`: the roles of its words, if it names nothing. */
function toHalf(sentence: string, { before, after }: Parts, has: (...roles: readonly Role[]) => boolean): Parsed {
  const isPointing = has('lasting', 'always') && !has('never') && POINTING.test(sentence);
  const isTogether = has('sync');
  return {
    isTogether,
    isHeading: has('lasting') && HEADING.test(sentence),
    isHalf: before.length + after.length > 0 || isPointing || isTogether,
  };
}

/** "version.py still says 1.2" is about files: a script that has a version is one. */
function toStale(thing: Thing, marks: readonly Mark[], masked: string): readonly Thing[] {
  const stale = marks.find(({ role }) => role === 'stale');
  const isRun = marks.some(({ role }) => role === 'run') || /run/.test(masked.slice(stale?.at, stale?.end));
  const { kind, text, at, end } = thing;
  if (stale === undefined || kind !== 'command' || isRun || marks.some(({ role }) => role === 'blame')) return [thing];
  return /^\S+\.\w+$/.test(text) ? [{ kind: 'file', text, at, end }] : [];
}

const CONTRAST = /^\W*(?:(?:no|nope|wrong|stop|please|hey|ok|okay)\W+)*(?:use|run|prefer)\s+[`"']?¤/i;

/** "Use x, not plain y": a rule where the session ran y. */
function parseContrast(sentence: string, known: Known): Parsed {
  const { things, masked } = findThings(sentence, known);
  const { rule } = CONTRAST.test(masked) ? parseSentence(sentence, known, true) : {};
  if (rule === undefined || rule.wanted.length === 0 || rule.unwanted.length === 0) return {};
  const isPlain = things.every(({ kind }) => kind === 'command') && !rule.hasOpenMoment;
  const isAlone = rule.before.length + rule.after.length + rule.without.length === 0;
  return isPlain && isAlone && rule.unwanted.every((one) => wasRun(one, known))
    ? { rule: { ...rule, frame: 'ours' } }
    : {};
}

/** "Delete it, we never use it": what is never done has to be named, and of what belongs together two things. */
function isIdle({ wanted, unwanted, without }: Parts, has: (...roles: readonly Role[]) => boolean): boolean {
  if (has('lasting', 'always')) return false;
  if (has('never')) return unwanted.length + without.length === 0;
  return has('sync') && wanted.length < 2;
}

/** Asked, doubted, planned, or told of somebody else. */
function isOpen(sentence: string, has: (...roles: readonly Role[]) => boolean, isStale: boolean): boolean {
  if (!isStale && (has('open') || (has('report') && !has('sync')))) return true;
  return (
    QUESTION.test(sentence) && !TAG.test(sentence) && !(COURTESY.test(sentence) && has('always', 'never', 'lasting'))
  );
}

function findFrame(has: (...roles: readonly Role[]) => boolean): Frame | undefined {
  if (has('lasting', 'always', 'never')) return 'lasting';
  if (has('blame', 'stale')) return 'omission';
  if (has('sync')) return 'lasting';
  if (has('remind')) return 'reminder';
  if (has('ours')) return 'ours';
  return has('ensure', 'passive', 'afterBehind') ? 'ensured' : undefined;
}

type Part = 'wanted' | 'unwanted' | 'before' | 'after' | 'without';
const PART_OF: Readonly<Partial<Record<Role, Part>>> = {
  ...{ not: 'unwanted', never: 'unwanted', without: 'without', before: 'before', after: 'after' },
  ...{ use: 'wanted', run: 'wanted', change: 'wanted', always: 'wanted', but: 'wanted' },
  ...{ notBehind: 'unwanted', allowedBehind: 'wanted', beforeBehind: 'before', afterBehind: 'after' },
};
const BREAK = /[,;:()，；：、]|\s[-–—]+\s|\s(?:so|because|since|weil|denn|car|parce|porque)(?=\s)/giu;
/** Between two things of one list. */
const LISTED =
  /^[\s`"']*(?:[,、/&]|(?:and|or|und|oder|et|ou|y|o|e|nor|noch|ni|nem|和|或|と|や)(?=\s))[\s`"']*(?:(?:and|or|und|oder|et|ou|y|o|e|the|a|den|die|das|le|la|el)\s+)*[`"']*$/i;

type Step = { readonly at: number } & (
  | { readonly thing: Thing }
  | { readonly mark: Mark }
  | { readonly isBreak: true; readonly isHard: boolean }
);

/** A thing, and the clause that it stands in. */
interface Placed {
  readonly thing: Thing;
  readonly part: Part | 'unclear';
  readonly verb: Role | undefined;
  /** It is about something in the file. */
  readonly isInside: boolean;
}

const INSIDE = /(?<![\p{L}])(?:in|inside|of|from|dans|en|em|von)\s+(?:the\s+)?$/iu;

/** Which part of the rule each thing is, from the words before it, or behind it. */
function toParts(things: readonly Thing[], marks: readonly Mark[], masked: string, frame: Frame, isWeak: boolean) {
  const { placed, ...moments } = placeThings(things, marks, masked);
  const isSync = marks.some(({ role }) => role === 'sync');
  const isPassive = marks.some(({ role }) => role === 'passive');
  const meant = placed.filter((one) => isSync || isMeant(one, frame, isPassive));
  const list = (part: Part): readonly Thing[] => meant.flatMap((one) => (one.part === part ? [one.thing] : []));
  const parts = {
    unwanted: list('unwanted').filter(({ isNoun }) => !isNoun),
    before: list('before'),
    after: list('after'),
    without: list('without'),
  };
  const wanted = list('wanted');
  // Words for good alone tell of many things: a verb has to say that one is to be used, run or changed.
  const isTold = placed.some(({ part, verb }) => part !== 'wanted' || verb !== undefined);
  const isWanted = isTold || !isWeak || (moments.hasOpenMoment && wanted[0]?.at === 0);
  return { ...parts, wanted: isWanted ? wanted : [], ...moments };
}

type Parts = ReturnType<typeof toParts>;

/** "… never do that", "… we never commit that file": what is not wanted was named before. */
function pointBack(parts: Parts, masked: string): Parts {
  const verb = /\bnever (?:ever )?(do|run|use|¤+|edit|touch) (?:that|this|it|those|them)\b/i.exec(masked)?.[1] ?? '';
  const kind = /^(?:do|run|use)$/i.test(verb) ? 'command' : 'file';
  const isNamed = (thing: Thing): boolean => thing.kind === kind || (/^do$/i.test(verb) && thing.kind === 'file');
  const named = parts.wanted.filter((thing) => verb !== '' && isNamed(thing));
  if (named.length === 0 || parts.unwanted.some((thing) => thing.kind !== 'deed')) return parts;
  return { ...parts, wanted: [], unwanted: [...parts.unwanted, ...named] };
}

function placeThings(things: readonly Thing[], marks: readonly Mark[], masked: string) {
  const placed: Placed[] = [];
  let clause: Clause = {};
  let [hasOpenMoment, hasOpenBefore, hasOpenWithout] = [false, false, false];
  const go = (next: Clause): void => {
    const isOpen = next.part !== clause.part && clause.last === undefined;
    hasOpenMoment ||= isOpen && clause.part === 'after';
    hasOpenBefore ||= isOpen && clause.part === 'before' && clause.isWorded === true;
    hasOpenWithout ||= isOpen && clause.part === 'without';
    clause = next;
  };
  for (const step of toSteps(things, marks, masked)) {
    if ('isBreak' in step) go(toBroken(clause, step));
    if ('mark' in step && !isOfOption(step.mark, clause, things, masked)) go(toClause(clause, step.mark, masked));
    if ('thing' in step) {
      const { thing } = step;
      go(toClauseOf(thing, clause, things, masked));
      const part = findBehind(thing, marks, masked, clause) ?? clause.part ?? 'wanted';
      placed.push({ thing, part, verb: clause.verb, isInside: isInside(thing, marks, masked) });
      clause = { ...clause, last: thing };
    }
  }
  go({});
  return { placed, hasOpenMoment, hasOpenBefore, hasOpenWithout };
}

function toBroken(clause: Clause, { at, isHard }: { readonly at: number; readonly isHard: boolean }): Clause {
  if (isHard || endsAtBreak(clause)) return {};
  return clause.part === 'unwanted' ? { ...clause, brokenAt: at } : clause;
}

/** The clause in which a thing stands: the one before it may have ended. */
function toClauseOf(thing: Thing, clause: Clause, things: readonly Thing[], masked: string): Clause {
  if (isMoment(clause)) return isListed(clause, thing, masked) ? clause : {};
  if (clause.brokenAt === undefined || isInList(clause, things, thing, masked)) return clause;
  return { part: TURNED.test(masked.slice(clause.brokenAt, thing.at)) ? 'wanted' : 'unclear' };
}

/** `in` of "is not in x.json" says where something is missing. */
function isInside({ at }: Thing, marks: readonly Mark[], masked: string): boolean {
  const from = marks.findLast(({ role, end }) => role === 'stale' && end <= at)?.end ?? 0;
  return INSIDE.test(masked.slice(from, at));
}

function toSteps(things: readonly Thing[], marks: readonly Mark[], masked: string): readonly Step[] {
  const leading = marks.filter(({ role }) => PART_OF[role] !== undefined && !role.endsWith('Behind'));
  return [
    ...things.map((thing) => ({ at: thing.at, thing })),
    ...leading.map((mark) => ({ at: mark.at, mark })),
    ...[...masked.matchAll(BREAK)].map(({ index }) => ({
      ...{ at: index, isBreak: true as const, isHard: /[;；]/.test(masked[index] ?? '') },
    })),
  ].sort((a, b) => a.at - b.at);
}

/**
 * A file is to be changed, not to be used or run: "avoid a conflict with main.ts", "the check in main.ts". What one should
 * make sure of has to be done: "make sure main.ts works".
 */
function isMeant({ part, verb, isInside, thing: { kind } }: Placed, frame: Frame, isPassive: boolean): boolean {
  if (part === 'unwanted' && kind === 'file') return verb === 'change' || (verb === undefined && !isInside);
  if (part === 'wanted' && kind === 'file' && (verb === 'use' || verb === 'run' || (isInside && verb === undefined)))
    return false;
  return part !== 'wanted' || verb !== undefined || isPassive || frame !== 'ensured';
}

interface Clause {
  /** `unclear`: behind what is not wanted, with no word that says whether it is wanted. */
  readonly part?: Part | 'unclear' | undefined;
  readonly verb?: Role | undefined;
  /** The last thing in it. */
  readonly last?: Thing;
  /** Where a comma stands behind what is not wanted. */
  readonly brokenAt?: number;
  /** A word follows its mark, so that it is about something. */
  readonly isWorded?: boolean;
}

/** "Never push with --force": the option belongs to what is not wanted. */
function isOfOption({ role, end }: Mark, clause: Clause, things: readonly Thing[], masked: string): boolean {
  const next = things.find(({ at }) => at >= end);
  const isOption = next?.kind === 'option' && /^[\s`"']*(?:the\s+)?[`"']?$/.test(masked.slice(end, next.at));
  return role === 'run' && isOption && clause.part === 'unwanted' && clause.last !== undefined && !clause.brokenAt;
}

const WORDED = /^\s*[\p{L}¤]/u;
/** "We don't use npm, it's pnpm". */
const TURNED =
  /(?<![\p{L}])(?:it'?s|it is|that'?s|this (?:repo|project) is(?: on)?|only|just|es ist|das ist|nur|hier ist|c'est|seulement|es|solo|sólo|é|só)\s+(?:[\p{L}]+\s+)?$|[是用]\s*$/iu;
const JOINED = /[、/&和或とや]|(?<![\p{L}])(?:and|or|und|oder|et|ou|y|o|e|nor|noch|ni|nem)\s/iu;

/** "x, y or z" is a list, "x, y" may also mean: not x but y. */
function isInList({ last }: Clause, things: readonly Thing[], thing: Thing, masked: string): boolean {
  let before = last;
  for (const one of things.slice(things.indexOf(thing))) {
    const gap = before === undefined ? '' : masked.slice(before.end, one.at);
    if (!LISTED.test(gap)) return false;
    if (JOINED.test(gap)) return true;
    before = one;
  }
  return false;
}

/** "don't use", "before you run", "when you change": the verb belongs to the words before it, the next one does not. */
function toClause(clause: Clause, { role, end }: Mark, masked: string): Clause {
  const isWorded = WORDED.test(masked.slice(end));
  const part = PART_OF[role];
  const verb = part === 'wanted' ? role : undefined;
  const isNext = isMoment(clause) && (role === 'always' || clause.verb !== undefined);
  const isSame = part === 'wanted' && clause.part !== undefined && clause.last === undefined && !isNext;
  return isSame ? { ...clause, verb } : { part, verb, isWorded };
}

function isListed({ last }: Clause, thing: Thing, masked: string): boolean {
  return last === undefined || LISTED.test(masked.slice(last.end, thing.at));
}

/** "No, use x": what is not wanted ends where nothing was named. A list goes on, and so does "use the script: x". */
function endsAtBreak(clause: Clause): boolean {
  return isMoment(clause) || (clause.part === 'unwanted' && clause.last === undefined);
}

function isMoment({ part }: Clause): boolean {
  return part === 'before' || part === 'after' || part === 'without';
}

/** A deed alone is a task: "always commit". It is forbidden, or the moment or the need of something else. */
function namesThing({ wanted, unwanted, before, without }: Record<Part, readonly Thing[]>): boolean {
  if ([...wanted, ...unwanted].some(({ kind }) => kind !== 'deed')) return true;
  const isDone = (things: readonly Thing[]): boolean => things.some(({ command }) => command !== undefined);
  return isDone(unwanted) || (isDone(wanted) && (before.length > 0 || without.length > 0));
}

/** Words behind a thing that say what it is, with no more than a few signs between. */
function findBehind(thing: Thing, marks: readonly Mark[], masked: string, clause: Clause): Part | undefined {
  const near = marks.find(
    ({ role, at }) =>
      role.endsWith('Behind') &&
      (role !== 'allowedBehind' || clause.part === 'unclear') &&
      at >= thing.end &&
      !masked.slice(thing.end, at).includes(MASK) &&
      at - thing.end <= MAX_BEHIND,
  );
  return near && PART_OF[near.role];
}

const MAX_BEHIND = 8;

/** "Don't forget marketplace.json" needs no verb, "remember that config.yaml has the port" has another one. */
function isNear(marks: readonly Mark[], thing: Thing | undefined): boolean {
  return marks.some(
    ({ role, at, end }) =>
      role === 'remind' && thing !== undefined && thing.at - end <= MAX_NEAR && at - thing.end <= MAX_NEAR,
  );
}

const MAX_NEAR = 2;
