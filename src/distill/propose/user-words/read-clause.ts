/**
 * One clause of a sentence: who acts in it, and which part of a rule each thing is that it names, from the words before the
 * thing or behind it. A clause counts if the agent acts in it (an order, "you", "we") or if it is about a named thing; what
 * a function, a page or somebody else does says nothing.
 */

import { COMPANIONS } from './name-words.ts';
import type { Thing } from './named-things.ts';
import type { Role } from './rule-words.ts';

/** `done`: what the agent did, by the words. `where`: the folder in which a command has to run. */
export const PARTS = ['wanted', 'unwanted', 'before', 'after', 'without', 'done', 'where'] as const;
export type Part = (typeof PARTS)[number];
export type Parts = Readonly<Record<Part, readonly Thing[]>>;

export const NOTHING = Object.fromEntries(PARTS.map((part) => [part, []])) as unknown as Parts;

/** `other`: a verb that no table has. */
export type Verb = 'use' | 'run' | 'change' | 'put' | 'deed' | 'other';

export type Item = { readonly at: number; readonly end: number } & (
  | { readonly thing: Thing }
  | { readonly role: Role; readonly text: string }
  | { readonly word: string }
  | { readonly isBreak: true }
);

/** "It", "them": where a clause speaks of what was named before it. */
export interface Pointer {
  readonly at: number;
  readonly part: Part;
  readonly verb: Verb | undefined;
  readonly isOne: boolean;
}

export interface Clause extends Parts {
  readonly roles: ReadonlySet<Role>;
  /** The same, with what says nothing about the things that it names. */
  readonly signs: ReadonlySet<Role>;
  readonly verbs: ReadonlySet<Verb>;
  /** Moments that name nothing: "after you change the schema". */
  readonly open: ReadonlySet<Part>;
  /** All that it names, whatever it says of it. */
  readonly named: readonly Thing[];
  readonly pointer?: Pointer | undefined;
  /** How many words say something else. */
  readonly others: number;
  /** Somebody or something else acts in it. */
  readonly isOther: boolean;
  /** What it says of a thing that is named behind it: "don't start the server (npm run dev)". */
  readonly lacking?: { readonly part: Part; readonly verb: Verb | undefined } | undefined;
}

export function readClause(items: readonly Item[], before: Clause | undefined): Clause {
  const reader = new ClauseReader(before);
  for (const item of items) {
    if ('word' in item) reader.readWord(item.word);
    else if ('thing' in item) reader.readThing(item.thing);
    else if ('role' in item) reader.readRole(item.role, item.text, item.at);
  }
  return reader.finish();
}

interface Placed {
  readonly thing: Thing;
  readonly part: Part;
  readonly verb: Verb | undefined;
  /** Words between it and the verb that say what it is about. */
  readonly gap: number;
  readonly isInside: boolean;
  /** The folder of the files before it. */
  readonly isPlace: boolean;
  readonly isSubject: boolean;
}

const MOMENTS: Readonly<Partial<Record<Role, Part>>> = {
  ...{ before: 'before', after: 'after', case: 'after', without: 'without' },
};
const BEHIND: Readonly<Partial<Record<Role, Part>>> = {
  ...{ 'before-behind': 'before', 'after-behind': 'after', 'not-behind': 'unwanted', 'allowed-behind': 'wanted' },
};
const VERBS: readonly Role[] = ['use', 'run', 'change', 'put'];
/** A new main clause begins with them. */
export const ACTING: readonly Role[] = [...VERBS, 'never', 'always', 'not', 'must', 'remind', 'blame'];
const ADDRESSING: readonly Role[] = ['blame', 'remind', 'ours', 'did'];
const ARTICLE =
  /^(?:an?|the|our|your|my|its|their|de[rnms]|die|das|eine?n?|une?|le|la|les|el|los|uma?|os?|il|lo|een|het)$/i;
const EACH = /(?<!\p{L})(?:every|each|any|每次|jede\p{L}*|chaque|cada|ogni|elke?|iedere|кажд\p{L}+)(?!\p{L})/iu;
const INSIDE =
  /^(?:in|into|to|of|inside|from|under|im|aus|dans|depuis|en|desde|em|no|na|nel|nella|da|vanuit|в|на|из)$/i;
/** "You forgot to": a verb follows, not a thing. */
const VERB_NEXT = /(?:\bto|\bd[ei]|\bd'|\bom|n't|not|never|also|supposed to|have|,) ?$/i;
const MANY = /^(?:them|those|these|sie|beide|les|los|quest[ei]|die)/i;

class ClauseReader {
  readonly before: Clause | undefined;
  readonly placed: Placed[] = [];
  readonly roles = new Set<Role>();
  readonly verbs = new Set<Verb>();
  readonly open = new Set<Part>();
  part: Part = 'wanted';
  verb: Verb | undefined;
  /** `phrase`: a thing is named in what it is about, "the version in a.json". */
  subject: 'agent' | 'other' | 'phrase' | 'thing' | undefined;
  moment:
    | { readonly part: Part; readonly role: Role; readonly isEach: boolean; verb?: Verb | undefined; things: number }
    | undefined;
  pointer: Pointer | undefined;
  others = 0;
  /** Words since the last verb or thing. */
  gap = 0;
  /** Index of the next thing at the last negation. */
  notAt = -1;
  last: Role | 'thing' | undefined;
  lastText = '';
  isAsked = false;
  isVoid = false;
  /** "Das bitte nie ändern": it begins with what it points at. */
  fronted: number | undefined;

  constructor(before: Clause | undefined) {
    this.before = before;
  }

  get isOfThing(): boolean {
    return this.subject === 'thing' || this.subject === 'phrase';
  }

  readWord(word: string): void {
    this.others++;
    const isNoun = ARTICLE.test(this.lastText) || /^[ld]'/i.test(word);
    const isFirm = this.last === 'always' || this.last === 'never';
    // "npm test is always slow": told of the thing.
    if (isFirm && this.isOfThing && this.moment === undefined) this.isVoid = true;
    if (this.subject === undefined && !this.isAsked && this.moment === undefined) this.subject = 'other';
    else if (this.isAsked && !isNoun && this.verb === undefined && !this.isOfThing && this.moment === undefined)
      [this.verb, this.gap] = ['other', 0];
    else this.gap++;
    [this.last, this.lastText] = [undefined, ''];
  }

  /** The next thing is one of a kind: "every commit". */
  isEachNext = false;
  /** Nothing but small words stand since the last thing. */
  isBehindThing = false;

  startMoment(thing: Thing): void {
    // "clang-format, every commit!"
    if (this.isEachNext && thing.kind === 'deed' && this.moment === undefined && this.verb === undefined)
      this.moment = { part: 'before', role: 'before', isEach: true, things: 0 };
    this.isEachNext = false;
    // "vor dem Commit make fmt ausführen"
    if (this.last === 'thing' && (this.moment?.things ?? 0) > 0) this.endMoment();
  }

  follow(thing: Thing): void {
    const { moment } = this;
    if (moment !== undefined) {
      moment.things++;
      this.roles.add(moment.role);
      if (moment.isEach) this.roles.add('standing');
    } else if (thing.kind === 'deed') {
      this.verb ??= 'deed';
      this.subject ??= 'agent';
    }
    [this.gap, this.last, this.lastText, this.isBehindThing] = [0, 'thing', '', true];
  }

  readThing(thing: Thing): void {
    this.startMoment(thing);
    const { moment, verb, subject } = this;
    const isStart = verb === undefined && !this.isAsked && this.notAt < 0 && moment === undefined;
    const isSubject = isStart && (subject === undefined || subject === 'other');
    // "the deploy script": what stands behind an article is no deed.
    if (isSubject && thing.kind === 'deed' && ARTICLE.test(this.lastText)) {
      this.subject = 'other';
      return;
    }
    if (isSubject) this.subject = subject === 'other' ? 'phrase' : 'thing';
    // "you pushed"
    if (thing.isPast && this.isAsked && verb === undefined && moment === undefined) {
      this.part = 'done';
      this.roles.add('did');
    }
    // "that main.ts" points at nothing else.
    if (this.last === 'pronoun') this.pointer = undefined;
    const isInside = INSIDE.test(this.lastText);
    const isPlace = isInside && thing.text.endsWith('/') && this.isBehindThing;
    const placed = { thing, gap: this.gap, isInside, isPlace, isSubject };
    if (moment === undefined) this.placed.push({ ...placed, part: this.part, verb });
    else this.placed.push({ ...placed, part: moment.part, verb: moment.verb });
    this.follow(thing);
  }

  readRole(role: Role, text: string, at: number): void {
    if (role !== 'filler') this.isBehindThing = false;
    this.takeRole(role, text, at);
    // A small word between `never` and its verb changes nothing.
    const isKept = role === 'filler' && (this.last === 'always' || this.last === 'never');
    if (!isKept) this.last = role;
    this.lastText = text.trim();
  }

  takeRole(role: Role, text: string, at: number): void {
    const [moment, behind] = [MOMENTS[role], BEHIND[role]];
    if (role === 'filler') return;
    // "nach" is also where things go.
    if (moment === 'after' && this.verb === 'put') return;
    if (moment !== undefined) {
      this.endMoment();
      this.moment = { part: moment, role, isEach: EACH.test(text), things: 0 };
    } else if (behind !== undefined) this.turn(behind, role);
    else if (VERBS.includes(role)) this.readVerb(role as Verb & Role);
    else if (role === 'pronoun') this.point(text, at);
    else this.readSign(role, text);
  }

  endMoment(): void {
    if (this.moment?.things === 0) this.open.add(this.moment.part);
    [this.moment, this.gap] = [undefined, 0];
  }

  /** The words behind the last thing say what it is. */
  turn(part: Part, role: Role): void {
    const last = this.placed.pop();
    if (last !== undefined) this.placed.push({ ...last, part });
    this.roles.add(part === 'unwanted' ? 'not' : role);
  }

  readVerb(verb: Verb & Role): void {
    const { moment } = this;
    const last = this.placed.at(-1);
    if (moment !== undefined && moment.things === 0 && moment.verb === undefined) moment.verb = verb;
    // "when a.json changes"
    else if (moment !== undefined && moment.things > 0 && verb === 'change' && last !== undefined && !last.verb)
      this.placed.splice(-1, 1, { ...last, verb });
    else {
      this.endMoment();
      this.act(verb);
      [this.verb, this.gap] = [verb, 0];
      this.verbs.add(verb);
      // "Put it there" is a task, "tests go there" is a rule.
      if (verb === 'put' && (this.subject !== undefined || this.isAsked)) this.roles.add(verb);
    }
  }

  /** Whoever was named before acts. */
  act(role: Role): void {
    if (role === 'put') return;
    const isTold = this.subject === 'phrase' && (role === 'must' || role === 'change');
    if (this.subject === 'other' || (this.subject === 'phrase' && !isTold)) this.isVoid = true;
    this.subject ??= 'agent';
  }

  point(text: string, at: number): void {
    const isFirst = this.subject === undefined && !this.isAsked && this.notAt < 0;
    if (this.moment !== undefined || this.part === 'done') return;
    if (isFirst) [this.subject, this.fronted] = ['other', at];
    else this.pointer ??= { at, part: this.part, verb: this.verb, isOne: !MANY.test(text) };
  }

  readSign(role: Role, text: string): void {
    // "Das bitte nie ändern" begins with what it points at, "that never works" does not.
    if (role === 'ask' && this.last === 'pronoun' && this.others === 0 && this.fronted !== undefined)
      this.subject = undefined;
    else if (this.subject === 'other') this.fronted = undefined;
    // It is said of what stands right before it.
    if (role === 'stale' && (this.gap > 1 || this.moment !== undefined)) return;
    const isActing = ACTING.includes(role) || role === 'ours' || role === 'ask' || role === 'also';
    if (isActing && (this.moment?.things ?? 0) > 0) this.endMoment();
    if (ADDRESSING.includes(role)) this.address(role, text);
    else if (ACTING.includes(role) && this.moment === undefined) {
      this.act(role);
      this.isAsked = true;
    } else if (role === 'ask' && this.subject === undefined) this.isAsked = true;
    if (role === 'not' || role === 'never') [this.part, this.notAt, this.gap] = ['unwanted', this.placed.length, 0];
    if (role === 'instead-of') this.contrast();
    if (role === 'standing' && EACH.test(text)) this.isEachNext = true;
    this.roles.add(role);
  }

  /** The words speak to the agent, or of what everybody here does. */
  address(role: Role, text: string): void {
    const isVerbNext = role === 'did' ? false : role !== 'blame' || VERB_NEXT.test(text);
    [this.subject, this.isAsked, this.gap, this.part] = ['agent', isVerbNext, 0, role === 'did' ? 'done' : 'wanted'];
    if (role !== 'ours') return;
    this.verb = 'use';
    this.verbs.add('use');
  }

  /** ", not in src/": who acts and what is done stands in the clause before it. */
  contrast(): void {
    if (this.subject === undefined && this.before?.verbs.has('put')) this.verb = 'put';
    const isOther =
      this.subject === undefined ? this.before?.isOther : this.subject === 'other' || this.subject === 'phrase';
    if (this.verb !== 'put' && isOther === true) this.isVoid = true;
    [this.part, this.gap] = ['unwanted', 0];
  }

  finish(): Clause {
    this.endMoment();
    const { before, placed, roles, verbs, open, others, isVoid } = this;
    const pointer = isVoid ? undefined : this.findPointer();
    const isSaid = others === 0 || this.verb !== undefined || SAYING.some((role) => roles.has(role));
    // "plain npm test misses half of it" tells of the command.
    const isTold = (one: Placed): boolean => isSaid || !one.isSubject || one.part !== 'wanted';
    const whole = isVoid ? [] : placed.map((one) => this.complete(one));
    const meant = whole.filter((one) => isTold(one) && isMeant(one, roles, this.subject === 'thing'));
    const signs = new Set(isVoid ? [] : roles);
    const isEmpty = meant.length === 0 && pointer === undefined;
    // "…, we never use it" says nothing about the rest of the sentence.
    const isApart = isEmpty && (others > 0 || this.verb !== undefined) && !roles.has('hands-off');
    const list = (part: Part): readonly Thing[] => meant.flatMap((one) => (one.part === part ? [one.thing] : []));
    const isLacking =
      !isVoid && isEmpty && placed.length === 0 && others > 0 && (this.isAsked || this.subject === 'agent');
    const lacking = placed.length === 0 ? before?.lacking : undefined;
    return {
      ...(Object.fromEntries(PARTS.map((part) => [part, list(part)])) as unknown as Parts),
      ...{ pointer, signs, open, others, named: placed.map(({ thing }) => thing) },
      verbs: isVoid ? new Set() : verbs,
      roles: isApart ? new Set([...signs].filter((role) => !FIRM.includes(role))) : signs,
      isOther: isVoid || this.subject === 'other' || this.subject === 'phrase',
      lacking: isLacking ? { part: this.part, verb: this.verb } : lacking,
    };
  }

  findPointer(): Pointer | undefined {
    const isFronted = this.subject !== 'other' && this.fronted !== undefined;
    return (
      this.pointer ?? (isFronted ? { at: this.fronted ?? 0, part: this.part, verb: this.verb, isOne: true } : undefined)
    );
  }

  /** What words behind a thing add to it. */
  complete(one: Placed): Placed {
    const { before, notAt, placed, others } = this;
    if (one.part !== 'wanted' && one.part !== 'unwanted') return one;
    // "npm nicht benutzen": what is not wanted stands before the word.
    const isNot = notAt === placed.length && one.part === 'wanted' && one.verb === undefined;
    // A thing alone is what the clause before it lacks.
    const lacking = others === 0 && this.roles.size === 0 && this.verb === undefined ? before?.lacking : undefined;
    const isRunning =
      this.verb !== 'change' && this.verb !== 'put' && placed.some(({ thing }) => thing.kind === 'command');
    const isWhere =
      isRunning && one.isInside && one.thing.text.endsWith('/') && one.part === 'wanted' && !one.isSubject;
    const part = lacking?.part ?? (isNot ? 'unwanted' : isWhere ? 'where' : one.part);
    return { ...one, part, verb: one.verb ?? lacking?.verb ?? this.verb };
  }
}

/** They say how a thing is to be treated, and nothing without one. */
export const FIRM: readonly Role[] = ['always', 'never', 'must'];
const SAYING: readonly Role[] = [
  ...ACTING,
  'stale',
  'sync',
  'standing',
  'ours',
  'also',
  'before',
  'after',
  'case',
  'without',
  'instead-of',
  'hands-off',
];
const STATING: readonly Role[] = ['blame', 'stale', 'sync', 'also', 'must', 'remind'];
const COMPANION = new RegExp(`\\.(?:${COMPANIONS.replaceAll(' ', '|')})$|/$|^[A-Z]+$`, 'i');
/** Code does not consist of such files. */
export function isCompanion(path: string): boolean {
  return COMPANION.test(path);
}

const MAX_GAP = 2;

/** A thing has to be the object of what is to be done: "the check in main.ts" is about something else. */
function isMeant(placed: Placed, roles: ReadonlySet<Role>, isOfThing: boolean): boolean {
  const { thing, part, verb, gap, isInside, isPlace, isSubject } = placed;
  if (thing.kind !== 'file') return gap <= MAX_GAP && (verb !== 'change' || thing.kind !== 'command');
  if (part === 'done' || part === 'where' || isPlace) return !isPlace;
  const isNear = gap <= 1 && !isInside;
  if (part === 'unwanted') return isToBeLeft(placed, roles, isNear);
  if (part !== 'wanted') return gap <= MAX_GAP || isInside;
  const isInCompanion = isInside && isCompanion(thing.text);
  if (verb === 'change') return isNear || isInCompanion;
  if (verb === 'put') return thing.text.endsWith('/');
  if (verb !== undefined && verb !== 'deed') return false;
  return STATING.some((role) => roles.has(role)) && (isNear || isSubject || isOfThing || isInCompanion);
}

/** A file is to be left as it is: it is not used or run. */
function isToBeLeft({ thing, verb, gap, isSubject }: Placed, roles: ReadonlySet<Role>, isNear: boolean): boolean {
  const isChange = verb === 'change' || verb === 'put' || verb === 'deed' || roles.has('hands-off');
  return isChange || (isNear && isSubject) || (verb === undefined && gap === 0 && thing.text.endsWith('/'));
}
