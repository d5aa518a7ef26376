/**
 * Decides what happens to a lesson after its trials, most serious rule first. A harmful lesson is archived; a lesson
 * that fires on calls that work, or changes nothing, waits for the user; if the lesson is right and the agent still
 * fails, it pauses calls, then a mechanical check is proposed, then it is retired. A lesson that failed lately, or is
 * used on a model on which it was never judged, is measured again.
 */

import type { Lesson, LessonMeasure, Untried } from '../base/model/lesson.ts';
import { isAboutAction, isBackedByPerson, isOnlyAdvice, isVouchedFor } from '../base/model/lesson-trust.ts';
import type { Trials } from '../base/statistics/delivery-counts.ts';
import type { Effect } from '../base/statistics/estimates.ts';
import type { ProgramTrigger } from '../base/triggers/trigger.ts';
import { toArchived } from './lesson-states.ts';

export const DECIDED_BY = 'promote/decide-lesson';

/** The evidence that each consequence needs. */
const LIMITS = {
  /** Calls fail more often with the lesson: the maximum probability that it helps, and deliveries per arm. */
  harmful: { helps: 0.02, arm: 8 },
  /** … or seem to: how much more often, with few deliveries per arm. */
  suspect: { arm: 3, more: 0.5 },
  /** The effect is too small to be worth a note. */
  useless: { worth: 0.1, shown: 20, withheld: 10 },
  /** The lesson fires on calls that work. */
  wrong: { worked: 5, share: 0.8 },
  /** Agents tried the remedy and failed anyway. */
  remedy: { failed: 4, share: 0.5 },
  /** The lesson was shown and nobody tried the remedy. */
  raise: { ignored: 3, share: 0.5, confidence: 0.7 },
  /** … even when it paused calls. */
  retire: { judged: 5, share: 0.6 },
  /** Hardly any agent follows the lesson. Its score would soon be too low, and nothing more could be learned. */
  unheeded: { judged: 5, clean: 0.25 },
  /** Agents used to follow the lesson, but most of the last deliveries failed. */
  turned: { recent: 5, failed: 4, judged: 10, clean: 0.8, confidence: 0.6 },
  /** Enough evidence to end a repeated measurement. */
  retest: { arm: 8, all: 24, shown: 60 },
  /** Sessions on a model or release that the lesson was not measured on. */
  unproven: 3,
} as const;

export interface Evidence {
  /** Since `lesson.measure.from`. */
  readonly trials: Trials;
  readonly effect?: Effect;
  /** The effect on failures of any kind. */
  readonly failures?: Effect;
  /** The lesson is already silent, for whatever reason. Measurement alone does not bring it back. */
  readonly isWaiting: boolean;
  /** May the lesson be withheld? Otherwise it cannot be measured again. */
  readonly mayWithhold: boolean;
  /** The lesson fires on an occasion, not on a mistake, so ignoring it is no reason to pause calls. */
  readonly isProcedure?: boolean;
}

interface Decided {
  readonly lesson: Lesson;
  readonly reason: string;
}

type Rule = (lesson: Lesson, evidence: Evidence, at: string) => Decided | undefined;

/** Undefined if nothing changes. */
export function decideLesson(lesson: Lesson, evidence: Evidence, at: string): Decided | undefined {
  // A lesson that waits for a person because of measurement keeps waiting.
  if (lesson.status !== 'active' || lesson.measure?.doubt !== undefined) return undefined;
  const ending = isVouchedFor(lesson) ? [] : ENDING;
  const continuing = CONTINUING.filter((rule) => !isVouchedFor(lesson) || !SILENCING.includes(rule));
  for (const rule of evidence.isWaiting ? ending : [...ending, ...continuing]) {
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
  return doubt(lesson, `it fires on calls that work: ${of(own.worked, own.worked + own.failed)} did`, at);
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
  const reason = `the mistake came again in ${of(acting.again, acting.judged)} although it paused calls`;
  const checked = { ...lesson, measure: { ...lesson.measure, check: lesson.measure?.check ?? proposeCheck(lesson) } };
  return archive(checked, 'unhelpful', reason, at);
};

const findWrongRemedy: Rule = (lesson, { trials: { note, acting, verdicts } }, at) => {
  const judged = note.judged + acting.judged;
  const { failed, share } = LIMITS.remedy;
  if (lesson.measure?.retest !== undefined) return undefined;
  if (verdicts.failedAnyway < failed || verdicts.failedAnyway < judged * share) return undefined;
  return doubt(lesson, `its advice fails, too: ${of(verdicts.failedAnyway, judged)} did`, at);
};

/** Only if the trigger is right: the calls that it fires on fail. */
const raise: Rule = (lesson, { trials, isProcedure = false }, at) => {
  if (isProcedure) return undefined;
  const { note, acting, own, verdicts } = trials;
  const judged = note.judged + acting.judged;
  if (isMostlyOpen(trials)) return undefined;
  const measure = lesson.measure ?? {};
  const { ignored, share } = LIMITS.raise;
  if (measure.retest !== undefined || own.worked > own.failed) return undefined;
  if (verdicts.ignored < ignored || verdicts.ignored < judged * share) return undefined;
  const reason = `agents did not try its advice in ${of(verdicts.ignored, judged)}`;
  const isAdvice = lesson.mode === 'note' && lesson.modeBy === undefined && measure.raised === undefined;
  // A lesson from outside or of a model only advises until a person confirms it.
  if (isAdvice && !isOnlyAdvice(lesson)) return change(toRaised(lesson, reason, at), `raised to pause: ${reason}`, at);
  if (measure.check !== undefined) return undefined;
  const check = proposeCheck(lesson);
  return change({ ...lesson, measure: { ...measure, check } }, `a check is proposed: ${reason}`, at);
};

/**
 * A repeated mistake is observed more easily than an avoided one, so with few verdicts nothing proves that agents
 * ignore the lesson.
 */
function isMostlyOpen({ shown, note, acting }: Trials): boolean {
  return note.judged + acting.judged < shown / 2;
}

/** The lesson is right and was ignored, so it starts again as a pause. */
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
  return doubt(lesson, `agents followed it in ${of(verdicts.clean, judged)} only`, at);
};

const findTurned: Rule = (lesson, { trials: { note, acting, recent }, mayWithhold }, at) => {
  const { recent: last, failed, judged, clean } = LIMITS.turned;
  const bad = recent.filter(Boolean).length;
  if (!mayWithhold || lesson.measure?.retest !== undefined || recent.length < last || bad < failed) return undefined;
  const before = { judged: note.judged + acting.judged - last, failed: note.failed + acting.failed - bad };
  if (before.judged < judged || before.judged - before.failed < before.judged * clean) return undefined;
  return retest(lesson, `agents used to follow it, but ${of(bad, last)} failed lately`, at);
};

/**
 * Sessions without the lesson do better, which is no reason to pause calls; but if the lesson fell silent, nobody would
 * learn why.
 */
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
    { ...lesson, measure: acceptUsedModels(measure) },
    `measured again: ${of(note.again, note.judged)} with it, ${of(withheld.again, withheld.judged)} without`,
    at,
  );
};

function toUnproven({ on }: Untried): string {
  return `it was never judged on ${on}`;
}

/** Is the lesson measured again because of the model or release it is used on? */
export function isUnproven({ retest, untried = [] }: LessonMeasure): boolean {
  return untried.some((one) => retest === toUnproven(one));
}

/** Accepts models and releases that the lesson was used on often enough. */
export function acceptUsedModels({ untried = [], on = [], ...rest }: LessonMeasure): LessonMeasure {
  const [tried, rare] = [untried.filter(isOften), untried.filter((one) => !isOften(one))];
  const measure = { ...rest, on: [...on, ...tried.map((one) => one.on)] };
  return rare.length === 0 ? measure : { ...measure, untried: rare };
}

function isOften({ sessions }: Untried): boolean {
  return sessions.length >= LIMITS.unproven;
}

/** Rules that archive a lesson or ask for a review, and rules under which it keeps firing. */
const ENDING: readonly Rule[] = [findHarm, retire, findWrongTrigger, findUseless];
const CONTINUING: readonly Rule[] = [
  findTurned,
  findSuspect,
  findWrongRemedy,
  raise,
  findIgnored,
  endRetest,
  findUnproven,
];

/** Of the rules under which it keeps firing, those that ask for a review anyway. */
const SILENCING: readonly Rule[] = [findWrongRemedy, findIgnored];

function archive(lesson: Lesson, cause: 'harmful' | 'unhelpful', reason: string, at: string): Decided {
  if (isBackedByPerson(lesson)) return doubt(lesson, reason, at);
  return { lesson: toArchived(lesson, { cause, reason }, at), reason: `${cause}: ${reason}` };
}

function doubt(lesson: Lesson, reason: string, at: string): Decided {
  const measure = { ...lesson.measure, doubt: reason };
  return change({ ...lesson, needsReview: true, measure }, `waits for a person: ${reason}`, at);
}

/** Raises the confidence to the minimum, so that the lesson fires while it is measured. */
function retest(lesson: Lesson, reason: string, at: string): Decided {
  const confidence = Math.max(lesson.confidence, LIMITS.turned.confidence);
  const measure = { ...lesson.measure, retest: reason, from: at };
  return change({ ...lesson, confidence, needsReview: false, measure }, `measured again: ${reason}`, at);
}

function change(lesson: Lesson, reason: string, at: string): Decided {
  return { lesson: { ...lesson, updatedAt: at }, reason };
}

function of(part: number, whole: number): string {
  return `${part} of ${whole}`;
}

/** Describes a check that a machine could run instead of showing the lesson again. Nothing is installed. */
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
