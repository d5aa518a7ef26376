/**
 * What the sentences of a user teach: the things that they name, each with its part in a rule by the nearest cue before it
 * in its clause, and the words that make a rule of it. A sentence about somebody else (the page, CI, "I") teaches nothing
 * by its words; the calls around it may still show something.
 */

import type { Language, Role } from './cue-words.ts';
import { findCues, findLanguage } from './find-cues.ts';
import { findThings, type Known, type Thing } from './named-things.ts';

/** `needed`: "without it". `before`, `when`: the moment. */
export const PARTS = ['wanted', 'unwanted', 'needed', 'before', 'when'] as const;
export type Part = (typeof PARTS)[number];
type Parts = Readonly<Record<Part, readonly Thing[]>>;

export interface Rule extends Parts {
  /** The sentences themselves. */
  readonly words: string;
  /** The cues that speak to the agent. */
  readonly marks: ReadonlySet<Role>;
  /** A moment, a need or a ban that names nothing. */
  readonly open: ReadonlySet<Part>;
  /** All that it names, whatever it says of it. */
  readonly named: readonly Thing[];
  /** How many words no table has. */
  readonly others: number;
  /** It teaches nothing. */
  readonly isVoid: boolean;
}

export interface Message {
  readonly rules: readonly Rule[];
  /** What all sentences name, also those that teach nothing. */
  readonly named: readonly Thing[];
  /** It sets something right, or says how things are done. */
  readonly isTeaching: boolean;
}

const TEACHING = ['blame', 'remind', 'firm', 'never', 'not', 'must', 'not-behind', 'made', 'without', 'fault'] as const;

/** `isStopped`: the user had stopped the agent to say so. */
export function readMessage(sentences: readonly string[], known: Known, isStopped: boolean): Message {
  const language = findLanguage(sentences.map((one) => findThings(one, known).masked).join(' '));
  const readings = sentences.map((sentence) => readSentence(sentence, known, language));
  const rules: Rule[] = [];
  for (const reading of readings.filter(({ isVoid }) => !isVoid)) {
    const before = rules.at(-1);
    if (before !== undefined && belongsTo(before, reading)) rules.splice(-1, 1, merge(before, reading));
    else rules.push(reading);
  }
  return {
    rules,
    named: readings.flatMap(({ named }) => named),
    isTeaching:
      isStopped ||
      sentences.some((sentence) => REJECTING.test(sentence)) ||
      rules.some(({ marks }) => TEACHING.some((role) => marks.has(role))),
  };
}

const MAX_OTHERS = 3;

/** Two sentences that state one rule: one has only marks, or each has the parts that the other lacks. */
function belongsTo(before: Rule, next: Rule): boolean {
  const listParts = (rule: Rule): readonly Part[] => PARTS.filter((part) => rule[part].length > 0);
  const [some, others] = [listParts(before), listParts(next)];
  // "Lesson learned:", "Always.", "Those two belong together."
  if (some.length === 0) return before.others <= MAX_OTHERS;
  if (others.length === 0) return next.others <= MAX_OTHERS;
  const isWhole = (parts: readonly Part[]): boolean => parts.length > 1;
  return !isWhole(some) && !isWhole(others) && some[0] !== others[0];
}

function merge(a: Rule, b: Rule): Rule {
  const both = <T>(toSet: (one: Rule) => ReadonlySet<T>): ReadonlySet<T> => new Set([...toSet(a), ...toSet(b)]);
  return {
    ...toParts((part) => [...a[part], ...b[part]]),
    words: `${a.words} ${b.words}`,
    isVoid: false,
    named: [...a.named, ...b.named],
    others: a.others + b.others,
    marks: both(({ marks }) => marks),
    open: both(({ open }) => open),
  };
}

function toParts(list: (part: Part) => readonly Thing[]): Parts {
  return Object.fromEntries(PARTS.map((part) => [part, list(part)])) as unknown as Parts;
}

/** The sentence says that something was wrong, so that the calls around it may show what. */
const REJECTING =
  /^\W*(?:(?:oh|hey|ah|um|sorry|please|ok|okay|hm+),? )*(?:no+|nope|nah|nono|wrong|stop|argh|nein|falsch|non|faux|não|errado|sbagliato|nee|fout|нет|不对|不是|違|아니)(?:[,.!:; ]|$)|\b(?:that|this|it)(?:'?s| is| was) (?:wrong|incorrect|not (?:right|correct|what i))|not like that|\binstead\b(?! of)|\brather\b/i;

/** "By hand?!" asks nothing. */
const QUESTION = /(?<![?!])[?？](?![?!])\W*$/;
/** "…, ok?" and "Could you use pnpm instead?" ask nothing. */
const TOLD =
  /[,;.] ?(?:remember|right|ok|okay|please|yes|got it|understood|oder|ja|klar|vale|d'accord|compris|entendido|beleza|certo|va bene|capito|begrepen|хорошо)[?？]\W*$|^\W*(?:please[, ]+)?(?:can|could|would|will) you (?:please |just |also |always |never |from now on )*(?:use|run|stop|not|avoid|make sure|remember|never|always)\b/i;

const ASKING = /^\W*(?:does|do|is|are|has|have|can|should|will)\b(?! you)/i;

function readSentence(sentence: string, known: Known, language: Language): Rule {
  const { things, masked } = findThings(sentence, known);
  const reader = new Reader();
  for (const item of toItems(masked, things, language)) reader.read(item);
  const { placed, marks, open, others, isVoid } = reader.finish();
  const isAsked = QUESTION.test(sentence) && !TOLD.test(sentence);
  return {
    ...toParts((part) => placed.flatMap((one) => (one.part === part ? [one.thing] : []))),
    words: sentence,
    named: things,
    marks,
    open,
    others,
    isVoid: (isAsked && ASKING.test(sentence)) || (!marks.has('blame') && (isAsked || isVoid)),
  };
}

interface Placed {
  readonly thing: Thing;
  readonly part: Part | undefined;
}

/** Cues that a subject of the clause may have: what somebody else always does is no rule. */
const OF_SUBJECT: readonly Role[] = ['firm', 'never', 'not', 'must', 'want', 'change', 'without'];
/** The part of the things behind a cue; with `-behind`, of the thing before it. */
const PART_OF: Readonly<Partial<Record<Role, Part>>> = {
  never: 'unwanted',
  not: 'unwanted',
  'not-behind': 'unwanted',
  without: 'needed',
  before: 'before',
  'before-behind': 'before',
  when: 'when',
  'when-behind': 'when',
  blame: 'wanted',
  remind: 'wanted',
};
/** The clause speaks to the agent. */
const ADDRESSING: readonly Role[] = ['blame', 'remind', 'ask'];
const YOU = /you|we\b|\bu\b|ing$|du|tu|je\b|ты|你/i;
const EVERY = /every|each|any|whenever|jede|chaque|cada|toda|sempre|siempre|ogni|elke|кажд|每/i;
/** "The version must be bumped in x" asks the agent. */
const PASSIVE = / be$|(?:through|via)$/i;
/** What was named before. */
const NEUTRAL = /^(?:(?:it|this|that)(?:'?s)?|das|es|ça|cela|eso|esto|isso|questo|dat|это)$/i;

class Reader {
  readonly placed: Placed[] = [];
  readonly marks = new Set<Role>();
  readonly open = new Set<Part>();
  part: Part = 'wanted';
  /** Things since the part was set, and since the clause began. */
  since = 0;
  inClause = 0;
  /** Words of the clause that no table has. */
  words = 0;
  /** The same before the part was set. */
  wordsBefore = 0;
  /** The same before the last thing. */
  wordsAtThing = 0;
  others = 0;
  isVoid = false;
  isAddressed = false;
  isForeign = false;
  /** "It" begins the clause. */
  isNeutral = false;
  /** The cue just before. */
  last: Role | undefined;

  read(item: Item): void {
    if ('sign' in item) this.endClause(item.sign);
    else if ('thing' in item) this.place(item.thing);
    else if ('role' in item) this.take(item.role, item.text);
    else if (!NEUTRAL.test(item.word) || this.words > 0 || this.inClause > 0) {
      // "npm test is always slow" tells of the command.
      if ((this.last === 'firm' || this.last === 'never') && this.inClause > 0 && !this.isAddressed)
        this.marks.delete(this.last);
      this.words++;
      this.others++;
    } else this.isNeutral = true;
    this.last = 'role' in item ? item.role : undefined;
  }

  endClause(sign: string): void {
    this.closePart();
    if (sign === '(') return;
    [this.part, this.since, this.inClause, this.words, this.wordsBefore] = ['wanted', 0, 0, 0, 0];
    [this.isAddressed, this.isForeign, this.isNeutral] = [false, false, false];
  }

  closePart(): void {
    if (this.since > 0 || this.part === 'wanted') return;
    // "Don't touch it" is about what was named before, "avoid long lines" is not.
    if (this.part !== 'unwanted' || this.words === this.wordsBefore) this.open.add(this.part);
  }

  place(thing: Thing): void {
    // "A bare x picks up the system y" does not want x, "never return null in src" speaks of code.
    const isFirst = this.since === 0;
    const isApart =
      this.part === 'unwanted' &&
      (isFirst ? thing.text.endsWith('/') && this.words > this.wordsBefore : this.words > this.wordsAtThing);
    this.placed.push({ thing, part: this.isForeign || isApart ? undefined : this.part });
    this.wordsAtThing = this.words;
    this.since++;
    this.inClause++;
  }

  /** The words behind a thing say what it is. */
  turnLast(part: Part): void {
    const last = this.placed.pop();
    if (last !== undefined) this.placed.push({ ...last, part });
  }

  start(part: Part): void {
    this.closePart();
    [this.part, this.since, this.wordsBefore] = [part, 0, this.words];
  }

  take(role: Role, text: string): void {
    if (role === 'void') this.isVoid = true;
    const isPassive = role !== 'not-behind' && PASSIVE.test(text);
    if (ADDRESSING.includes(role) || isPassive || (role === 'when' && YOU.test(text)))
      [this.isAddressed, this.isForeign] = [true, false];
    if (this.isOfOther(role, text)) this.isForeign = true;
    if (this.isForeign) return;
    // "When you are done", not "when the list is empty"
    if (role !== 'when' || this.isAddressed) this.marks.add(role);
    // "deploy.sh must call x" tells what the file has to contain.
    const isContent = role === 'want' && this.last === 'must' && this.inClause === 1;
    if (isContent && this.placed.at(-1)?.thing.kind === 'file') this.isVoid = true;
    this.apply(role, text);
  }

  /** Does the clause tell what somebody or something else does? */
  isOfOther(role: Role, text: string): boolean {
    // "The API in v1.ts must not be changed" is about the API, "migrations in db/ must not" about all of db/.
    if (role === 'not-behind' && PASSIVE.test(text))
      return this.words > 0 && !this.placed.at(-1)?.thing.text.endsWith('/');
    if (this.isAddressed) return false;
    // "It must be updated" asks for something, "it never runs" does not.
    const isAsked = role === 'must' || role === 'change';
    const isSubject = this.words > 0 || (this.isNeutral && !isAsked);
    // "The version in x must match" is a rule for x, "the date in x never changes" is none.
    return OF_SUBJECT.includes(role) && isSubject && (this.inClause === 0 || role === 'never');
  }

  apply(role: Role, text: string): void {
    const part = PART_OF[role];
    if (part !== undefined && role.endsWith('-behind')) this.turnLast(part);
    else if (part !== undefined) this.start(part);
    if ((role === 'when' || role === 'before') && EVERY.test(text)) this.marks.add('firm');
  }

  finish(): this {
    this.closePart();
    const isMoment = ({ part }: Placed): boolean => part === 'before' || part === 'when';
    const moments = this.placed.filter(isMoment);
    const last = moments.at(-1);
    // "vor dem Commit make fmt", "after a change of x (`y`)"
    if (moments.length > 1 && last !== undefined && !this.placed.some(({ part }) => part === 'wanted'))
      this.placed.splice(this.placed.indexOf(last), 1, { ...last, part: 'wanted' });
    return this;
  }
}

type Item = { readonly at: number; readonly end: number } & (
  | { readonly thing: Thing }
  | { readonly role: Role; readonly text: string }
  | { readonly word: string }
  | { readonly sign: string }
);

/** A comma inside "x, y or z" is none. */
const BREAK =
  /,(?! ?[`"']?¤+[`"']?(?:,| (?:and|or|und|oder|et|ou|y|o|e|en|of|и|или) [`"']?¤))|[;:()，；：、…]|\.{2,}|(?<=\s)(?:[-–—→]+|[=-]+>)(?=\s)|—|(?<=[^\s.\d])\.(?=\s)|(?<=\s)(?:but|so(?! (?:that|far|on|much|many|it|as)\b)|aber|mais|pero|mas|ma|maar|но)(?=\s)/gi;
function toItems(masked: string, things: readonly Thing[], language: Language): readonly Item[] {
  const cues = findCues(masked, language);
  const telling = cues.filter(({ role }) => role !== 'small');
  const isIn = (spans: readonly { readonly at: number; readonly end: number }[], place: number): boolean =>
    spans.some(({ at, end }) => at <= place && place < end);
  const items: Item[] = [
    ...things.map((thing) => ({ at: thing.at, end: thing.end, thing })),
    ...telling,
    ...[...masked.matchAll(BREAK)]
      .filter(({ index }) => !isIn(telling, index))
      .map(({ index, 0: sign }) => ({ at: index, end: index + 1, sign })),
    ...[...masked.matchAll(/[\p{L}\p{N}_·][\p{L}\p{N}_'·-]*/gu)]
      .filter(({ index }) => !isIn([...cues, ...things], index))
      .map(({ index, 0: word }) => ({ at: index, end: index + word.length, word })),
  ];
  return items.sort((a, b) => a.at - b.at || b.end - a.end);
}
