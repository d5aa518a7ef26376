/**
 * The rules and omissions that the sentences of a user state: what is to be done, what not, and at which moment. A sentence
 * is read clause by clause. A clause counts if the agent acts in it (an order, "you", "we") or if it is about a thing that
 * the sentence names; what a function, a page or somebody else must do is no rule. What is asked, doubted, or said for this
 * moment only is none either: a rule that is missed costs little, one that nobody stated costs a wrong lesson.
 */

import { findThings, type Known, MASK, type Thing } from './named-things.ts';
import { COMPANIONS, FILE_KINDS, LANGUAGES, ROLES, type Role } from './rule-words.ts';

/** `standing`: said for good. `blame`: the agent left something out. `remind`: a rule only with a moment or edits. */
export type Force = 'standing' | 'blame' | 'remind' | 'ours' | 'none';

/** `done`: what the agent did, by the words. */
export type Part = 'wanted' | 'unwanted' | 'before' | 'after' | 'without' | 'done';
const PARTS: readonly Part[] = ['wanted', 'unwanted', 'before', 'after', 'without', 'done'];

type Verb = 'use' | 'run' | 'change' | 'put' | 'deed' | 'other';

export interface Rule extends Readonly<Record<Part, readonly Thing[]>> {
  /** The sentence itself. */
  readonly words: string;
  readonly force: Force;
  readonly verbs: ReadonlySet<Verb>;
  readonly roles: ReadonlySet<Role>;
  /** Moments that name nothing: "after you change the schema". */
  readonly open: ReadonlySet<Part>;
  /** All that the sentence names, also in clauses about something else. */
  readonly named: readonly Thing[];
}

/** `known`: what the session has; `isCorrecting`: the user stopped the agent to say it. */
export function readRules(sentences: readonly string[], known: Known): readonly Rule[] {
  const readings = sentences.map((sentence) => readSentence(sentence, known));
  const rules: Reading[] = [];
  let before: Reading | undefined;
  for (const [i, reading] of readings.entries()) {
    const joined = before && join(before, reading);
    if (joined !== undefined && rules.at(-1) === before) rules.pop();
    before = joined ?? reading;
    // "Lesson learned:" holds for the next sentence.
    if (joined === undefined && isHeading(reading) && i + 1 < readings.length) continue;
    rules.push(before);
  }
  return rules.filter((rule) => !rule.isVoid && (PARTS.some((part) => rule[part].length > 0) || isNameless(rule)));
}

/** "You forgot the changelog", "use main, not master": the calls after the words show what is meant. */
function isNameless({ force, named, roles }: Reading): boolean {
  return named.length === 0 && (force === 'blame' || roles.has('not') || roles.has('instead-of'));
}

interface Reading extends Rule {
  /** Where a clause speaks of what was named before it. */
  readonly pointer?: Pointer | undefined;
  readonly isVoid: boolean;
  /** How many words say something else. */
  readonly others: number;
}

const HAS = (reading: Reading, ...parts: readonly Part[]): boolean => parts.some((part) => reading[part].length > 0);

/** "Lesson learned:", "That goes for all of them.": it holds for the sentence beside it. */
function isHeading({ isVoid, roles, named, others, words }: Reading): boolean {
  return (
    !isVoid &&
    roles.has('standing') &&
    named.length === 0 &&
    (others === 0 || /[:：]$/.test(words) || STANDING_FIRST.test(words))
  );
}

const STANDING_FIRST = new RegExp(
  `^\\W*(?:(?:${LANGUAGES.english?.words.ask}) )*(?:${LANGUAGES.english?.words.standing})`,
  'i',
);

/** Two sentences that state one rule together. */
function join(before: Reading, next: Reading): Reading | undefined {
  if (next.isVoid) return undefined;
  const words = `${before.words} ${next.words}`;
  const merged = { ...merge([before, next], words), isVoid: false };
  if (isHeading(before)) return merged;
  // "That goes for all of them."
  if (isHeading(next) && HAS(before, 'wanted', 'unwanted') && !before.isVoid) return merged;
  const { pointer } = next;
  if (pointer !== undefined && next[pointer.part].length === 0) {
    const things = findPointed(before.named, pointer);
    if (things.length > 0 && (before.isVoid || !HAS(before, ...PARTS)))
      return { ...merge([{ ...next, [pointer.part]: things }], words), isVoid: false };
  }
  const isFile = ({ kind }: Thing): boolean => kind === 'file';
  // "Those two belong together."
  if (next.roles.has('sync') && next.named.length === 0 && before.named.filter(isFile).length > 1)
    return { ...merge([{ ...next, wanted: before.named.filter(isFile) }], words), isVoid: false };
  if (before.isVoid) return undefined;
  const isPlain = ({ before: b, after, without, open }: Reading): boolean =>
    b.length + after.length + without.length + open.size === 0;
  const isRun = (things: readonly Thing[]): boolean =>
    things.length > 0 && things.every(({ kind }) => kind === 'command');
  const isPair =
    (isRun(before.unwanted) && before.wanted.length === 0 && isRun(next.wanted) && next.unwanted.length === 0) ||
    (isRun(before.wanted) && before.unwanted.length === 0 && isRun(next.unwanted) && next.wanted.length === 0);
  // "Tests don't live in src/. They belong in test/."
  if (before.verbs.has('put') && next.verbs.has('put') && before.wanted.length * next.wanted.length === 0)
    return merged;
  // "x.ts is generated, don't touch it. Change y and run z."
  const isHandsOff = before.roles.has('hands-off') && before.unwanted.some(isFile) && before.wanted.length === 0;
  if (isHandsOff && next.force === 'none' && next.wanted.length > 0 && next.unwanted.length === 0) return merged;
  // "We don't use npm. Use pnpm."
  if (isPair && isPlain(before) && isPlain(next) && !FIRST.test(next.words) && !next.roles.has('blame')) return merged;
  return undefined;
}

/** What is to be done first stands in the place of nothing. */
const FIRST = /(?<![\p{L}])(?:first|zuerst|erst|d'abord|primero|primeiro|prima|eerst|сначала)(?![\p{L}])/iu;

/** "It" is the first of the things that can be meant, "them" are all. */
function findPointed(things: readonly Thing[], { verb, isOne }: Pointer): readonly Thing[] {
  const isMeant = ({ kind }: Thing): boolean =>
    verb === 'change' ? kind === 'file' : verb === 'use' || verb === 'run' ? kind === 'command' : kind !== 'deed';
  return things.filter(isMeant).slice(0, isOne ? 1 : things.length);
}

interface Pointer {
  readonly part: Part;
  readonly verb: Verb | undefined;
  readonly isOne: boolean;
}

function merge(readings: readonly Reading[], words: string): Reading {
  const roles = new Set(readings.flatMap((one) => [...one.roles]));
  const all = (part: Part): readonly Thing[] => readings.flatMap((one) => one[part]);
  return {
    ...{
      words,
      roles,
      force: toForce(
        roles,
        readings.some(({ force }) => force === 'standing'),
      ),
      isVoid: readings.every(({ isVoid }) => isVoid),
    },
    ...{
      wanted: all('wanted'),
      unwanted: all('unwanted'),
      before: all('before'),
      after: all('after'),
      without: all('without'),
      done: all('done'),
    },
    verbs: new Set(readings.flatMap((one) => [...one.verbs])),
    open: new Set(readings.flatMap((one) => [...one.open])),
    named: readings.flatMap((one) => one.named),
    others: readings.reduce((sum, one) => sum + one.others, 0),
    pointer: readings.find(({ pointer }) => pointer !== undefined)?.pointer,
  };
}

function toForce(roles: ReadonlySet<Role>, isStanding = false): Force {
  const has = (...wanted: readonly Role[]): boolean => wanted.some((role) => roles.has(role));
  if (isStanding || has('standing', 'always', 'never', 'hands-off')) return 'standing';
  if (has('blame', 'stale') || (has('did') && has('without'))) return 'blame';
  if (has('sync')) return 'standing';
  if (has('ours')) return 'ours';
  return has('remind', 'must', 'put', 'case') ? 'remind' : 'none';
}

const QUESTION = /[?？]\W*$/;
/** "…, ok?" asks nothing. */
const TAG = /[,;.] ?(?:remember|right|ok|okay|please|yes|got it|understood|oder|ja|ok ya|vale|d'accord)[?？]\W*$/i;
/** "Could you use pnpm instead?" is no question either. */
const COURTESY =
  /^\W*(?:please[, ]+)?(?:can|could|would|will) you (?:please |just |also |always |never |from now on )*(?:use|run|update|bump|stop|not|avoid|make sure|remember|never|always)\b/i;

const ASKED_KINDS = FILE_KINDS.map(([words]) => words.replaceAll(' ', '|')).join('|');
const ASKED_FOR = new RegExp(
  `^\\W*(?:(?:and|but|so|ok|okay|hm+|und|et|y|e|mais|pero|mas|aber|what about|was ist mit),? )*(?:the |das |die |der |le |la |les |el |los |las |o |a |os |as )?(?:${ASKED_KINDS}) ?[?？]+$`,
  'iu',
);

function readSentence(sentence: string, known: Known): Reading {
  const { things, masked } = findThings(sentence, known);
  const items = toItems(masked, things);
  const kept = toClauses(items);
  const isOpen = kept.flat().some((item) => 'role' in item && item.role === 'open');
  const clauses: Clause[] = [];
  for (const clause of kept) clauses.push(readClause(clause, clauses.at(-1)));
  const reading = merge(
    clauses.map((clause) => ({ ...clause, words: sentence, force: 'none' as const, isVoid: false })),
    sentence,
  );
  const pointed = reading.pointer && reading[reading.pointer.part].length === 0 ? reading.pointer : undefined;
  const found = pointed === undefined ? [] : findPointed(things, pointed);
  const isAsked =
    QUESTION.test(sentence) &&
    !TAG.test(sentence) &&
    !reading.roles.has('blame') &&
    !(COURTESY.test(sentence) && (reading.force !== 'none' || reading.unwanted.length > 0));
  // "And the changelog?": asked after edits, it says that something was left out.
  const isMissed = ASKED_FOR.test(sentence);
  const isQuote = /"[^"]*\s[^"]*"/.test(masked);
  return {
    ...reading,
    named: things,
    ...(isMissed ? { force: 'blame' as const, roles: new Set<Role>(['blame']), wanted: things } : {}),
    isVoid: isQuote || (isAsked && !isMissed) || (isOpen && !reading.roles.has('blame')),
    ...(pointed === undefined || found.length === 0
      ? pointed === undefined
        ? {}
        : { force: toForce(new Set([...reading.roles].filter((role) => !FIRM.includes(role)))) }
      : {
          [pointed.part]: found,
          wanted: pointed.part === 'wanted' ? found : reading.wanted.filter((one) => !found.includes(one)),
        }),
  };
}

type Item = { readonly at: number; readonly end: number } & (
  | { readonly thing: Thing }
  | { readonly role: Role; readonly text: string }
  | { readonly word: string }
  | { readonly isBreak: true }
);

const LATIN = '\\p{L}\\p{N}_';
const TABLE = Object.values(LANGUAGES).map(({ words, isUnspaced }) =>
  ROLES.flatMap((role, rank) => {
    const row = words[role];
    if (row === undefined) return [];
    const source = isUnspaced ? `(?:${row})` : `(?<![${LATIN}])(?:${row})(?![${LATIN}])`;
    return [{ role, rank, regex: new RegExp(source, 'giu') }];
  }),
);
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const BREAK = /[,;:()，；：、…]|\.{2,}|(?<=\s)[-–—]+(?=\s)|(?<=[^\s.\d])\.(?=\s)/g;
/** Commas inside "x, y or z". */
const LIST =
  /¤[`"' ]*(?:[,、] ?[`"' ]*¤+[`"' ]*)*[,、]? ?(?:and|or|und|oder|et|ou|y|o|e|en|of|и|или|和|或|と|や|、) ?[`"']*(?=¤)/gi;

function toItems(masked: string, things: readonly Thing[]): readonly Item[] {
  const marks = TABLE.map((rows) => findMarks(masked, rows)).reduce((best, one) =>
    weigh(one) > weigh(best) ? one : best,
  );
  const lists = [...masked.matchAll(LIST)].map(({ index, 0: list }) => [index, index + list.length] as const);
  const isListed = (at: number): boolean => lists.some(([from, to]) => from <= at && at < to);
  const breaks = [...masked.matchAll(BREAK)].filter(({ index }) => !isListed(index));
  const covered = [...marks, ...things];
  const words = [...masked.matchAll(/[\p{L}\p{N}_·][\p{L}\p{N}_'·-]*/gu)].filter(
    ({ index }) => !covered.some(({ at, end }) => at <= index && index < end),
  );
  const items: Item[] = [
    ...things.map((thing) => ({ at: thing.at, end: thing.end, thing })),
    ...marks,
    ...breaks
      .filter(({ index }) => !marks.some(({ at, end }) => at < index && index < end))
      .map(({ index }) => ({ at: index, end: index + 1, isBreak: true as const })),
    ...words.map(({ index, 0: word }) => ({ at: index, end: index + word.length, word })),
  ];
  return items.sort((a, b) => a.at - b.at || b.end - a.end);
}

interface Mark {
  readonly role: Role;
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** The longest words at a place, then the first role. */
function findMarks(masked: string, rows: (typeof TABLE)[number]): readonly Mark[] {
  const all = rows
    .flatMap(({ role, rank, regex }) =>
      [...masked.matchAll(regex)].map(({ 0: text, index: at }) => ({ role, rank, at, end: at + text.length, text })),
    )
    .filter(({ text }) => text.trim() !== '')
    .sort((a, b) => b.end - b.at - (a.end - a.at) || a.rank - b.rank);
  const found: Mark[] = [];
  for (const mark of all) if (!found.some((one) => mark.at < one.end && one.at < mark.end)) found.push(mark);
  return found.sort((a, b) => a.at - b.at);
}

/** How much of the sentence a language explains. */
function weigh(marks: readonly Mark[]): number {
  return marks.reduce((sum, { text }) => sum + text.replaceAll(MASK, '').length * (SIGNS.test(text) ? 4 : 1), 0);
}

const AND = /^(?:and|und|et|y|e|en|и|ed|&)$/i;
const ACTING: readonly Role[] = ['use', 'run', 'change', 'never', 'always', 'not', 'must', 'remind', 'blame', 'put'];

/** A reason ends with its clause. */
function toClauses(items: readonly Item[]): readonly (readonly Item[])[] {
  const clauses: Item[][] = [[]];
  let isReason = false;
  for (const [i, item] of items.entries()) {
    const next = items[i + 1];
    const isAnd =
      'role' in item && AND.test(item.text) && next !== undefined && 'role' in next && ACTING.includes(next.role);
    const isCut = 'isBreak' in item || ('role' in item && (item.role === 'but' || item.role === 'reason')) || isAnd;
    if (isCut) {
      clauses.push([]);
      isReason = 'role' in item && item.role === 'reason';
    } else if (!isReason) clauses.at(-1)?.push(item);
  }
  return clauses.filter((clause) => clause.length > 0);
}

interface Placed {
  readonly thing: Thing;
  readonly part: Part;
  readonly verb: Verb | undefined;
  /** Words between it and the verb that say what it is about. */
  readonly gap: number;
  readonly isInside: boolean;
  readonly isSubject: boolean;
}

interface Clause extends Omit<Reading, 'words' | 'force' | 'isVoid'> {
  /** Somebody or something else acts in it. */
  readonly isOther: boolean;
}

const MOMENTS: Readonly<Partial<Record<Role, Part>>> = {
  ...{ before: 'before', after: 'after', case: 'after', without: 'without' },
};
const BEHIND: Readonly<Partial<Record<Role, Part>>> = {
  ...{ 'before-behind': 'before', 'after-behind': 'after', 'not-behind': 'unwanted', 'allowed-behind': 'wanted' },
};
const ARTICLE =
  /^(?:an?|the|our|your|my|its|their|de[rnms]|die|das|eine?n?|une?|le|la|les|el|los|uma?|os?|il|lo|een|het)$/i;
const EACH = /(?<!\p{L})(?:every|each|jede\p{L}*|chaque|cada|ogni|elke?|iedere|кажд\p{L}+)(?!\p{L})/iu;
const INSIDE = /^(?:in|into|to|of|inside|from|im|dans|en|em|no|na|nel|nella|в|на)$/i;

/** Which part of the rule each thing of a clause is, from the words before it, or behind it. */
function readClause(items: readonly Item[], before: Clause | undefined): Clause {
  const placed: Placed[] = [];
  const roles = new Set<Role>();
  const [verbs, open] = [new Set<Verb>(), new Set<Part>()];
  let part: Part = 'wanted';
  let verb: Verb | undefined;
  let subject: 'agent' | 'other' | 'phrase' | 'thing' | undefined;
  let [others, isFirm]: [number, boolean] = [0, false];
  let pointer: Clause['pointer'];
  let [gap, isInside, isAsked, isVoid, isArticle, isEach] = [0, false, false, false, false, false];
  let [isBehindThing, isPointing] = [false, false];
  /** Of the moment that is being read. */
  let [moment, momentVerb, momentThings]: [Part | undefined, Verb | undefined, number] = [undefined, undefined, 0];
  let notAt = -1;
  const endMoment = (): void => {
    if (moment !== undefined && momentThings === 0) open.add(moment);
    [moment, momentVerb, momentThings, gap] = [undefined, undefined, 0, 0];
  };
  const act = (role: Role): void => {
    if (role === 'put') return;
    if (subject === 'other' || (subject === 'phrase' && role !== 'must' && role !== 'change')) isVoid = true;
    subject ??= 'agent';
  };
  for (const item of items) {
    if ('word' in item) {
      others++;
      // "npm test is always slow": told of the thing.
      if (isFirm && (subject === 'thing' || subject === 'phrase') && moment === undefined) isVoid = true;
      const isFirst = subject === undefined && !isAsked && moment === undefined;
      if (isFirst) subject = 'other';
      else if (isAsked && verb === undefined && subject !== 'thing' && subject !== 'phrase' && moment === undefined)
        [verb, gap] = ['other', 0];
      else gap++;
      isInside = false;
    } else if ('thing' in item) {
      const { thing } = item;
      const isStart =
        verb === undefined &&
        !isAsked &&
        notAt < 0 &&
        moment === undefined &&
        (subject === undefined || subject === 'other');
      // "the deploy script": what stands behind an article is no deed.
      if (isStart && thing.kind === 'deed' && isArticle) {
        subject = 'other';
        continue;
      }
      if (isStart) subject = subject === 'other' ? 'phrase' : 'thing';
      isFirm = false;
      // "you pushed"
      if (thing.isPast && isAsked && verb === undefined && moment === undefined) {
        [part, isAsked] = ['done', true];
        roles.add('did');
      }
      const isWhere = isInside && isBehindThing && thing.text.endsWith('/') && placed.at(-1)?.thing.kind === 'file';
      // "that main.ts" points at nothing else.
      if (isPointing) pointer = undefined;
      [isBehindThing, isPointing] = [true, false];
      const base = {
        thing,
        gap: isWhere ? Number.POSITIVE_INFINITY : gap,
        isInside: isInside && !isWhere,
        isSubject: isStart,
      };
      placed.push(moment === undefined ? { ...base, part, verb } : { ...base, part: moment, verb: momentVerb });
      if (moment !== undefined) momentThings++;
      if (moment !== undefined && isEach) roles.add('standing');
      else if (thing.kind === 'deed') {
        verb ??= 'deed';
        subject ??= 'agent';
      }
      [gap, isInside] = [0, false];
    } else if ('role' in item) {
      const { role, text } = item;
      const next = MOMENTS[role];
      const behind = BEHIND[role];
      const isVerb = role === 'use' || role === 'run' || role === 'change' || role === 'put';
      isFirm = role === 'always' || role === 'never' || (isFirm && role === 'filler');
      if (role === 'filler') [isInside, isArticle] = [INSIDE.test(text.trim()), ARTICLE.test(text.trim())];
      else if (next !== undefined) {
        endMoment();
        moment = next;
        roles.add(role);
        isEach = EACH.test(text);
      } else if (behind !== undefined) {
        const last = placed.pop();
        if (last !== undefined) placed.push({ ...last, part: behind });
        if (behind === 'unwanted') roles.add('not');
      } else if (isVerb) {
        if (moment !== undefined && momentThings === 0 && momentVerb === undefined) momentVerb = role;
        else if (moment !== undefined && momentThings > 0 && placed.at(-1)?.verb === undefined && role === 'change') {
          // "when a.json changes", "bevor du a.json änderst"
          placed.splice(-1, 1, { ...(placed.at(-1) as Placed), verb: 'change' });
        } else {
          endMoment();
          act(role);
          [verb, gap] = [role, 0];
          verbs.add(role);
          // "Put it there" is a task, "tests go there" is a rule.
          if (role === 'put' && (subject !== undefined || isAsked)) roles.add(role);
        }
      } else if (role === 'pronoun') {
        if (subject === undefined && !isAsked && notAt < 0 && moment === undefined) subject = 'other';
        else if (moment === undefined && part !== 'done')
          pointer ??= { part, verb, isOne: !/^(?:them|those|these|sie|beide|les|los|quest[ei]|die)/i.test(text) };
      } else {
        if (ACTING.includes(role) || role === 'ours' || role === 'ask') {
          if (moment !== undefined && momentThings > 0) endMoment();
        }
        if (role === 'blame' || role === 'remind' || role === 'ours')
          [subject, isAsked, gap, part] = ['agent', true, 0, 'wanted'];
        else if (role === 'not' || role === 'never' || role === 'always' || role === 'must') {
          if (moment === undefined) act(role);
          if (moment === undefined) isAsked = true;
        } else if (role === 'ask' && subject === undefined) isAsked = true;
        if (role === 'not' || role === 'never') [part, notAt, gap] = ['unwanted', placed.length, 0];
        if (role === 'instead-of') {
          if (subject === undefined && before?.verbs.has('put')) verb = 'put';
          const isOther = subject === 'other' || subject === 'phrase' || (subject === undefined && before?.isOther);
          if (verb !== 'put' && isOther) isVoid = true;
          [part, gap] = ['unwanted', 0];
        }
        if (role === 'did') [subject, part, gap] = ['agent', 'done', 0];
        if (role === 'ours') {
          verb = 'use';
          verbs.add(verb);
        }
        roles.add(role);
      }
      if (role !== 'filler') [isInside, isBehindThing, isPointing] = [false, false, role === 'pronoun'];
    }
  }
  endMoment();
  // "npm nicht benutzen": what is not wanted stands before the word.
  const isNotLast = notAt >= 0 && notAt === placed.length;
  const whole = placed.map((one) => ({
    ...one,
    part: isNotLast && one.part === 'wanted' && one.verb === undefined ? ('unwanted' as const) : one.part,
    verb: one.verb ?? (one.part === 'wanted' || one.part === 'unwanted' ? verb : undefined),
  }));
  const meant = isVoid ? [] : whole.filter((one) => isMeant(one, roles, subject === 'thing'));
  const list = (wanted: Part): readonly Thing[] => meant.flatMap((one) => (one.part === wanted ? [one.thing] : []));
  // "…, we never use it" says nothing about the rest of the sentence.
  const isApart = meant.length === 0 && (others > 0 || pointer !== undefined || verb !== undefined);
  if (isApart && pointer === undefined) for (const role of FIRM) roles.delete(role);
  return {
    ...{ wanted: list('wanted'), unwanted: list('unwanted'), before: list('before'), after: list('after') },
    ...{ without: list('without'), done: list('done'), verbs, open, named: placed.map(({ thing }) => thing) },
    pointer: isVoid ? undefined : pointer,
    roles: isVoid ? new Set() : roles,
    ...{ others, isOther: isVoid || subject === 'other' || subject === 'phrase' },
  };
}

const FIRM: readonly Role[] = ['always', 'never', 'must'];
const COMPANION = new RegExp(`\\.(?:${COMPANIONS.replaceAll(' ', '|')})$|/$|^[A-Z]+$`, 'i');
const MAX_GAP = 2;

/** A thing has to be the object of what is to be done: "the check in main.ts" is about something else. */
function isMeant(
  { thing, part, verb, gap, isInside, isSubject }: Placed,
  roles: ReadonlySet<Role>,
  isThings: boolean,
): boolean {
  const { kind, text } = thing;
  if (gap === Number.POSITIVE_INFINITY) return false;
  if (kind !== 'file') return gap <= MAX_GAP && (verb !== 'change' || kind !== 'command');
  const isNear = gap <= 1 && !isInside;
  if (part === 'done') return true;
  if (part === 'before' || part === 'after' || part === 'without') return gap <= MAX_GAP || isInside;
  if (part === 'unwanted')
    return verb === 'change' || verb === 'put' || verb === 'deed' || roles.has('hands-off') || (isNear && isSubject);
  if (verb === 'change') return isNear || (isInside && COMPANION.test(text));
  if (verb === 'put') return true;
  if (verb !== undefined && verb !== 'deed') return false;
  const isStated = (['blame', 'stale', 'sync', 'also', 'must', 'remind'] as const).some((role) => roles.has(role));
  return isStated && (isNear || isSubject || isThings || (isInside && COMPANION.test(text)));
}

const REJECTED =
  /^\W*(?:(?:oh|hey|ah|um|sorry|please|ok|okay|hm+),? )*(?:no|nope|nah|nono|wrong|stop|nein|falsch|non|faux|não|errado|sbagliato|nee|fout|нет|不对|不是|違|아니)(?:[,.!:; ]|$)|\b(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|what i))/i;

/** Does the sentence set something right, so that the calls around it may show what? */
export function isRejecting({ words, roles, force, unwanted }: Rule): boolean {
  if (REJECTED.test(words) || force === 'blame' || force === 'standing' || force === 'ours') return true;
  return unwanted.length > 0 || roles.has('not') || roles.has('instead-of') || roles.has('remind');
}
