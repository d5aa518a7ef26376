/**
 * Decides what happens to a lesson after its trials, most serious rule first. A harmful lesson is archived; a lesson
 * that fires on calls that work, or changes nothing, waits for the user; if the lesson is right and the agent still
 * fails, it pauses calls, then a mechanical check is proposed, then it is retired. A lesson that failed lately, or is
 * used on a model on which it was never judged, is measured again.
 */

import type { Lesson, LessonMeasure, Untried } from '../base/model/lesson.ts';
import { isAboutAction, isBackedByPerson, isUnconfirmed, isVouchedFor } from '../base/model/lesson-trust.ts';
import type { Trials } from '../base/statistics/delivery-counts.ts';
import type { Effect } from '../base/statistics/estimates.ts';
import type { ProgramTrigger } from '../base/triggers/trigger.ts';
import { toArchived } from './lesson-states.ts';

export const DECIDED_BY = 'promote/decide-lesson';

/** How much must be known, and how clearly, before anything follows. */
const LIMITS = {
  /** Calls fail more often with it: so unlikely is the opposite, with so many of each arm. */
  harmful: { helps: 0.02, arm: 8 },
  /** … or seem to: so much more often, with so few of each arm. */
  suspect: { arm: 3, more: 0.5 },
  /** It is not worth saying. */
  useless: { worth: 0.1, shown: 20, withheld: 10 },
  /** It speaks at calls that work. */
  wrong: { worked: 5, share: 0.8 },
  /** What it says was done, and failed all the same. */
  remedy: { failed: 4, share: 0.5 },
  /** It was said, and nobody tried what it says. */
  raise: { ignored: 3, share: 0.5, confidence: 0.7 },
  /** … and even where it held calls back. */
  retire: { judged: 5, share: 0.6 },
  /** Nearly nobody heeds it: its score falls under what may speak, and nothing more would be learned of it. */
  unheeded: { judged: 5, clean: 0.25 },
  /** It used to be followed, and of the last ones so many failed. */
  turned: { recent: 5, failed: 4, judged: 10, clean: 0.8, confidence: 0.6 },
  /** So much is known by then that measuring anew is over. */
  retest: { arm: 8, all: 24, shown: 60 },
  /** Sessions on a model or release that it was never judged on. */
  unproven: 3,
} as const;

export interface Evidence {
  /** Since `lesson.measure.from`. */
  readonly trials: Trials;
  readonly effect?: Effect;
  /** Of any failure at all. */
  readonly failures?: Effect;
  /** It is silent already, for whatever reason: measuring alone does not bring it back. */
  readonly isWaiting: boolean;
  /** May some of it be withheld? Else nothing can be measured anew. */
  readonly mayWithhold: boolean;
  /** It fires on an occasion, not at a mistake: that it is not followed is no reason to hold calls back. */
  readonly isProcedure?: boolean;
}

interface Decided {
  readonly lesson: Lesson;
  readonly reason: string;
}

type Rule = (lesson: Lesson, evidence: Evidence, at: string) => Decided | undefined;

/** Undefined when it goes on as it is. */
export function decideLesson(lesson: Lesson, evidence: Evidence, at: string): Decided | undefined {
  // What waits for a person because of what was measured waits on.
  if (lesson.status !== 'active' || lesson.measure?.doubt !== undefined) return undefined;
  const ending = isVouchedFor(lesson) ? [] : ENDING;
  const speaking = SPEAKING.filter((rule) => !isVouchedFor(lesson) || !SILENCING.includes(rule));
  for (const rule of evidence.isWaiting ? ending : [...ending, ...speaking]) {
    const decided = rule(lesson, evidence, at);
    if (decided !== undefined) return decided;
  }
  return undefined;
}

const findHarm: Rule = (lesson, { trials: { note, withheld }, failures }, at) => {
  const { helps, arm } = LIMITS.harmful;
  if (failures === undefined || note.judged < arm || withheld.judged < arm || failures.helps > helps) return undefined;
  const reason = `calls fail more often with it: ${of(note.failed, note.judged)} with it, ${of(withheld.failed, withheld.judged)} without`;
  return archive(lesson, 'harmful', reason, at);
};

const findWrongTrigger: Rule = (lesson, { trials: { own } }, at) => {
  const { worked, share } = LIMITS.wrong;
  if (isAboutAction(lesson) || own.worked < worked) return undefined;
  if (own.worked < (own.worked + own.failed) * share) return undefined;
  return doubt(lesson, `it speaks at calls that work: ${of(own.worked, own.worked + own.failed)} did`, at);
};

const findUseless: Rule = (lesson, { trials: { note, withheld }, effect }, at) => {
  const { worth, shown, withheld: enough } = LIMITS.useless;
  if (effect === undefined || effect.worth >= worth || note.judged < shown || withheld.judged < enough)
    return undefined;
  const rates = `the mistake came again in ${of(note.again, note.judged)} with it, in ${of(withheld.again, withheld.judged)} without`;
  return doubt(lesson, `it changes nothing: ${rates}`, at);
};

const retire: Rule = (lesson, { trials: { acting } }, at) => {
  const { judged, share } = LIMITS.retire;
  if (acting.judged < judged || acting.again < acting.judged * share) return undefined;
  const reason = `the mistake came again in ${of(acting.again, acting.judged)} although it held calls back`;
  const checked = { ...lesson, measure: { ...lesson.measure, check: lesson.measure?.check ?? proposeCheck(lesson) } };
  return archive(checked, 'unhelpful', reason, at);
};

const findWrongRemedy: Rule = (lesson, { trials: { note, acting, verdicts } }, at) => {
  const judged = note.judged + acting.judged;
  const { failed, share } = LIMITS.remedy;
  if (lesson.measure?.retest !== undefined) return undefined;
  if (verdicts.failedAnyway < failed || verdicts.failedAnyway < judged * share) return undefined;
  return doubt(lesson, `what it says fails too: ${of(verdicts.failedAnyway, judged)} did`, at);
};

/** Only where the trigger is right: the calls that it speaks at fail. */
const raise: Rule = (lesson, { trials, isProcedure = false }, at) => {
  if (isProcedure) return undefined;
  const { note, acting, own, verdicts } = trials;
  const judged = note.judged + acting.judged;
  if (isMostlyOpen(trials)) return undefined;
  const measure = lesson.measure ?? {};
  const { ignored, share } = LIMITS.raise;
  if (measure.retest !== undefined || own.worked > own.failed) return undefined;
  if (verdicts.ignored < ignored || verdicts.ignored < judged * share) return undefined;
  const reason = `nobody tried what it says in ${of(verdicts.ignored, judged)}`;
  const isAdvice = lesson.mode === 'note' && lesson.modeBy === undefined && measure.raised === undefined;
  // What came from outside and nobody confirmed only advises.
  if (isAdvice && !isUnconfirmed(lesson)) return change(toRaised(lesson, reason, at), `raised to pause: ${reason}`, at);
  if (measure.check !== undefined) return undefined;
  const check = proposeCheck(lesson);
  return change({ ...lesson, measure: { ...measure, check } }, `a check is proposed: ${reason}`, at);
};

/** A mistake that comes again is seen more easily than one that does not: too little was judged to say that nobody listens. */
function isMostlyOpen({ shown, note, acting }: Trials): boolean {
  return note.judged + acting.judged < shown / 2;
}

/** It is right and was not heard: it begins anew, louder. */
function toRaised(lesson: Lesson, reason: string, at: string): Lesson {
  const confidence = Math.max(lesson.confidence, LIMITS.raise.confidence);
  return {
    ...lesson,
    confidence,
    needsReview: false,
    mode: 'pause',
    measure: { ...lesson.measure, raised: reason, from: at },
  };
}

const findIgnored: Rule = (lesson, { trials }, at) => {
  const { note, acting, verdicts } = trials;
  const judged = note.judged + acting.judged;
  if (lesson.measure?.retest !== undefined || lesson.measure?.raised !== undefined || isMostlyOpen(trials))
    return undefined;
  if (judged < LIMITS.unheeded.judged || verdicts.clean > judged * LIMITS.unheeded.clean) return undefined;
  return doubt(lesson, `it is heeded in ${of(verdicts.clean, judged)} only`, at);
};

const findTurned: Rule = (lesson, { trials: { note, acting, recent }, mayWithhold }, at) => {
  const { recent: last, failed, judged, clean } = LIMITS.turned;
  const bad = recent.filter(Boolean).length;
  if (!mayWithhold || lesson.measure?.retest !== undefined || recent.length < last || bad < failed) return undefined;
  const before = { judged: note.judged + acting.judged - last, failed: note.failed + acting.failed - bad };
  if (before.judged < judged || before.judged - before.failed < before.judged * clean) return undefined;
  return retest(lesson, `it used to be followed, and ${of(bad, last)} failed lately`, at);
};

/** Who was not told does better: that is no reason to say it louder, and silent nobody would learn why. */
const findSuspect: Rule = (lesson, { trials: { note, withheld }, mayWithhold }, at) => {
  const { arm, more } = LIMITS.suspect;
  if (!mayWithhold || lesson.measure?.retest !== undefined) return undefined;
  if (note.judged < arm || withheld.judged < arm) return undefined;
  if (note.failed / note.judged - withheld.failed / withheld.judged < more) return undefined;
  const rates = `${of(note.failed, note.judged)} with it, ${of(withheld.failed, withheld.judged)} without`;
  return retest(lesson, `calls seem to fail more often with it: ${rates}`, at);
};

const findUnproven: Rule = (lesson, { mayWithhold }, at) => {
  const { untried = [], retest: current } = lesson.measure ?? {};
  if (!mayWithhold || current !== undefined) return undefined;
  const often = untried.find(isOften);
  return often && retest(lesson, toUnproven(often), at);
};

const endRetest: Rule = (lesson, { trials: { note, withheld } }, at) => {
  if (lesson.measure?.retest === undefined) return undefined;
  const { arm, all, shown } = LIMITS.retest;
  const isEnough = Math.min(note.judged, withheld.judged) >= arm && note.judged + withheld.judged >= all;
  if (!isEnough && note.judged < shown) return undefined;
  const { retest: _, ...measure } = lesson.measure;
  return change(
    { ...lesson, measure: acceptTried(measure) },
    `measured anew: ${of(note.again, note.judged)} with it, ${of(withheld.again, withheld.judged)} without`,
    at,
  );
};

function toUnproven({ on }: Untried): string {
  return `it was never judged on ${on}`;
}

/** Is it measured anew because of where it is used now? */
export function isUnproven({ retest, untried = [] }: LessonMeasure): boolean {
  return untried.some((one) => retest === toUnproven(one));
}

/** What it was used on so often is nothing new any more. */
export function acceptTried({ untried = [], on = [], ...rest }: LessonMeasure): LessonMeasure {
  const [tried, rare] = [untried.filter(isOften), untried.filter((one) => !isOften(one))];
  const measure = { ...rest, on: [...on, ...tried.map((one) => one.on)] };
  return rare.length === 0 ? measure : { ...measure, untried: rare };
}

function isOften({ sessions }: Untried): boolean {
  return sessions.length >= LIMITS.unproven;
}

/** Those that put a lesson away or make a person look, and those under which it goes on speaking. */
const ENDING: readonly Rule[] = [findHarm, retire, findWrongTrigger, findUseless];
const SPEAKING: readonly Rule[] = [
  findTurned,
  findSuspect,
  findWrongRemedy,
  raise,
  findIgnored,
  endRetest,
  findUnproven,
];

/** Of those under which it goes on, the ones that make a person look after all. */
const SILENCING: readonly Rule[] = [findWrongRemedy, findIgnored];

function archive(lesson: Lesson, cause: 'harmful' | 'unhelpful', reason: string, at: string): Decided {
  if (isBackedByPerson(lesson)) return doubt(lesson, reason, at);
  return { lesson: toArchived(lesson, { cause, reason }, at), reason: `${cause}: ${reason}` };
}

function doubt(lesson: Lesson, reason: string, at: string): Decided {
  const measure = { ...lesson.measure, doubt: reason };
  return change({ ...lesson, needsReview: true, measure }, `waits for a person: ${reason}`, at);
}

/** So that it is heard meanwhile. */
function retest(lesson: Lesson, reason: string, at: string): Decided {
  const confidence = Math.max(lesson.confidence, LIMITS.turned.confidence);
  const measure = { ...lesson.measure, retest: reason, from: at };
  return change({ ...lesson, confidence, needsReview: false, measure }, `measured anew: ${reason}`, at);
}

function change(lesson: Lesson, reason: string, at: string): Decided {
  return { lesson: { ...lesson, updatedAt: at }, reason };
}

function of(part: number, whole: number): string {
  return `${part} of ${whole}`;
}

/** What a machine could check instead of telling the agent once more: words for a person, nothing is set up by itself. */
function proposeCheck({ triggers, summary }: Lesson): string {
  const [program] = triggers.programs ?? [];
  if (program !== undefined)
    return `refuse \`${toWords(program)}\`: a permission rule of the agent, or a wrapper named ${program.name} before it on the PATH that says: ${summary}`;
  if (triggers.content !== undefined)
    return `a lint rule, or a pre-commit hook, that finds ${toList(triggers.content.match)} in what is written: ${summary}`;
  if (triggers.paths !== undefined)
    return `a pre-commit hook or a check in CI on ${toList(triggers.paths)}: ${summary}`;
  const texts = triggers.command?.match ?? triggers.line?.match;
  if (texts !== undefined)
    return `a permission rule of the agent that refuses commands like ${toList(texts)}: ${summary}`;
  return `a check in CI, or a hook of your own, that refuses it: ${summary}`;
}

function toWords({ name, sub = [], args }: ProgramTrigger): string {
  return [name, ...sub, ...(args?.all ?? []), ...(args?.any ?? []).slice(0, 1)].join(' ');
}

function toList(texts: readonly string[] = []): string {
  return texts
    .slice(0, 3)
    .map((text) => `\`${text}\``)
    .join(' or ');
}
