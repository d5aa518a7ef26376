/**
 * The rules and omissions that a user states, from the words of a prompt: what is to be done, what not, and at which
 * moment. Only the user's own words count: no pasted text, no quotation, no long message. What asks for work, doubts, or
 * tells how things are states no rule, even if it names a file: a rule that is missed costs little, one that nobody stated
 * costs a wrong lesson.
 */

import { findThings, type Known, MASK, type Thing } from './named-things.ts';
import { toOwnSentences } from './own-sentences.ts';
import { LANGUAGES, ROLES, type Role } from './rule-words.ts';

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
  const parsed = sentences.map((sentence) => parseSentence(sentence, known));
  const rules: StatedRule[] = [];
  for (let i = 0; i < sentences.length; i++) {
    const { rule, isHalf } = parsed[i] ?? {};
    const before = parsed[i - 1];
    const isBehind = before?.isHeading || (isHalf && before?.rule === undefined && isShort(sentences[i - 1]));
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

/** "We don't use npm. Use pnpm.": what to use, and what not, stands in the sentence behind it, or before it. */
function findAdvice(rule: StatedRule, sentences: readonly string[], i: number, known: Known) {
  const isCommand = ({ kind }: Thing): boolean => kind === 'command';
  const lacks = rule.wanted.length === 0 ? 'wanted' : 'unwanted';
  const has = lacks === 'wanted' ? 'unwanted' : 'wanted';
  const isOpen = rule[lacks].length + rule.before.length + rule.after.length + rule.without.length === 0;
  if (!isOpen || !rule[has].some(isCommand) || (lacks === 'unwanted' && rule.frame !== 'ours')) return undefined;
  for (const at of [i + 1, i - 1]) {
    const { rule: other } = parseSentence(sentences[at] ?? '', known, true);
    const isOther = ({ text }: Thing): boolean => !rule[has].some((one) => one.text === text);
    const things = other?.[lacks].filter((one) => isCommand(one) && isOther(one)) ?? [];
    if (other !== undefined && things.length > 0 && other[has].length + other.before.length + other.after.length === 0)
      return { parts: { [lacks]: things }, isNext: at > i };
  }
  return undefined;
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
      [...masked.matchAll(regex)]
        .filter((match) => !isEnglish || !/^(?:always|never)$/i.test(match[0]) || isTold(masked.slice(0, match.index)))
        .map((match) => ({ role, at: match.index, end: match.index + match[0].length })),
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
}

/** `isAdvice`: the sentence beside it says that it is meant for good. */
function parseSentence(sentence: string, known: Known, isAdvice = false): Parsed {
  const { things, masked } = findThings(sentence, known);
  if (/"[^"]*\s[^"]*"/.test(masked)) return {};
  const marks = findMarks(masked, isAdvice);
  const has = (...roles: readonly Role[]): boolean => marks.some(({ role }) => roles.includes(role));
  const isCase = marks.some(({ role, at, end }) => role === 'after' && CASE.test(masked.slice(at, end)));
  const frame = findFrame(has) ?? (isAdvice ? 'lasting' : isCase ? 'ensured' : undefined);
  if (frame === undefined) return {};
  const isBlamed = has('blame', 'stale');
  if (!isBlamed && isOpen(sentence, has)) return {};
  const isWeak = frame === 'lasting' && !has('always', 'never', 'sync');
  const found = toParts(things, marks, masked, frame, isWeak);
  const parts = pointBack(found, masked);
  const isRule = namesThing(parts) && (isBlamed || !isIdle(parts, has));
  const isOmission = frame === 'omission' && things.length === 0;
  if (!isRule && !isOmission) {
    const isMoment = parts.before.length + parts.after.length > 0;
    const isPointing = things.length === 0 && has('lasting', 'always') && !has('never') && POINTING.test(sentence);
    return {
      isHeading: has('lasting') && things.length === 0 && HEADING.test(sentence),
      isHalf: isMoment || isPointing,
    };
  }
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

/** "Delete it, we never use it": what is never done has to be named, and of what belongs together two things. */
function isIdle({ wanted, unwanted, without }: Parts, has: (...roles: readonly Role[]) => boolean): boolean {
  if (has('lasting', 'always')) return false;
  if (has('never')) return unwanted.length + without.length === 0;
  return has('sync') && wanted.length < 2;
}

/** Asked, doubted, planned, or told of somebody else. */
function isOpen(sentence: string, has: (...roles: readonly Role[]) => boolean): boolean {
  if (has('open') || (has('report') && !has('sync'))) return true;
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
  ...{ notBehind: 'unwanted', beforeBehind: 'before', afterBehind: 'after' },
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
  readonly part: Part;
  readonly verb: Role | undefined;
  /** It is about something in the file. */
  readonly isInside: boolean;
}

const INSIDE = /(?<![\p{L}])(?:in|inside|of|from|dans|en|em|von)\s+(?:the\s+)?$/iu;

/** Which part of the rule each thing is, from the words before it, or behind it. */
function toParts(things: readonly Thing[], marks: readonly Mark[], masked: string, frame: Frame, isWeak: boolean) {
  const { placed, hasOpenMoment } = placeThings(things, marks, masked);
  const isSync = marks.some(({ role }) => role === 'sync');
  const isPassive = marks.some(({ role }) => role === 'passive');
  const meant = placed.filter((one) => isSync || isMeant(one, frame, isPassive));
  const list = (part: Part): readonly Thing[] => meant.flatMap((one) => (one.part === part ? [one.thing] : []));
  const parts = { unwanted: list('unwanted'), before: list('before'), after: list('after'), without: list('without') };
  const wanted = list('wanted');
  // Words for good alone tell of many things: a verb has to say that one is to be used, run or changed.
  const isTold = placed.some(({ part, verb }) => part !== 'wanted' || verb !== undefined);
  const isWanted = isTold || !isWeak || (hasOpenMoment && wanted[0]?.at === 0);
  return { ...parts, wanted: isWanted ? wanted : [], hasOpenMoment };
}

type Parts = ReturnType<typeof toParts>;

/** "… never do that", "… we never commit that file": what is not wanted was named before. */
function pointBack(parts: Parts, masked: string): Parts {
  const verb = /\bnever (?:ever )?(do|run|use|¤+|edit|touch) (?:that|this|it|those|them)\b/i.exec(masked)?.[1] ?? '';
  const kind = /^(?:do|run|use)$/i.test(verb) ? 'command' : 'file';
  const named = parts.wanted.filter((thing) => verb !== '' && thing.kind === kind);
  if (named.length === 0 || parts.unwanted.some((thing) => thing.kind !== 'deed')) return parts;
  return { ...parts, wanted: [], unwanted: [...parts.unwanted, ...named] };
}

function placeThings(things: readonly Thing[], marks: readonly Mark[], masked: string) {
  const placed: Placed[] = [];
  let clause: Clause = {};
  let hasOpenMoment = false;
  const open = (next: Clause): void => {
    hasOpenMoment ||= clause.part === 'after' && clause.last === undefined;
    clause = next;
  };
  for (const step of toSteps(things, marks, masked)) {
    if ('isBreak' in step && (step.isHard || endsAtBreak(clause))) open({});
    if ('mark' in step) {
      const next = toClause(clause, step.mark.role);
      if (next.part === clause.part) clause = next;
      else open(next);
    }
    if ('thing' in step) {
      const { thing } = step;
      if (isMoment(clause) && !isListed(clause, thing, masked)) open({});
      const part = findBehind(thing, marks, masked) ?? clause.part ?? 'wanted';
      placed.push({ thing, part, verb: clause.verb, isInside: INSIDE.test(masked.slice(0, thing.at)) });
      clause = { ...clause, last: thing };
    }
  }
  open({});
  return { placed, hasOpenMoment };
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
  readonly part?: Part | undefined;
  readonly verb?: Role | undefined;
  /** The last thing in it. */
  readonly last?: Thing;
}

/** "don't use", "before you run", "when you change": the verb belongs to the words before it, the next one does not. */
function toClause(clause: Clause, role: Role): Clause {
  const part = PART_OF[role];
  const verb = part === 'wanted' ? role : undefined;
  const isNext = isMoment(clause) && (role === 'always' || clause.verb !== undefined);
  const isSame = part === 'wanted' && clause.part !== undefined && clause.last === undefined && !isNext;
  return isSame ? { ...clause, verb } : { part, verb };
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
function findBehind(thing: Thing, marks: readonly Mark[], masked: string): Part | undefined {
  const near = marks.find(
    ({ role, at }) =>
      role.endsWith('Behind') &&
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
