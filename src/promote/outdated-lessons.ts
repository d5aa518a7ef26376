/**
 * Notices when the world around a lesson changes: recent calls contradict the lesson, or agents use it on a model or
 * release on which it was never judged. A file is now tracked, a tool was updated, a path exists again: a lesson that
 * would have fired on the last calls, although they worked, becomes a draft, and the same mistake made after them
 * clears it. Each call counts once and by its own time, so the result does not depend on the source or order of the
 * calls.
 */

import type { Lesson, LessonMeasure, Untried } from '../base/model/lesson.ts';
import { findLastFailure, isLater, isRefuted, listLaterRefutations, toRefutation } from '../base/model/lesson-trust.ts';

/** More than any lesson needs: a draft is not written anew for every further call. */
const MAX_KEPT = 6;

interface Contradiction {
  readonly callId: string;
  readonly at: string;
  /** When the mistake was made last, as far as stored calls tell. */
  readonly failedAt?: string | undefined;
}

/**
 * Only what was learned and never confirmed by a person: that is theirs to take back. With what calls silenced before. That
 * what a person corrected works says nothing against the correction.
 */
export function isRefutable(lesson: Lesson): boolean {
  const { origin, status, reviewedBy, scope } = lesson;
  const isLearned = origin.kind === 'episode' && origin.trust !== 'stated' && reviewedBy === undefined;
  const isOpen = status === 'active' || (status === 'draft' && isRefuted(lesson));
  return isLearned && isOpen && scope.kind !== 'team';
}

/** A call that the lesson speaks at worked. Undefined when that changes nothing: it is known, or the mistake came later. */
export function refuteLesson(lesson: Lesson, { callId, at, failedAt = '' }: Contradiction): Lesson | undefined {
  const last = toLatest(findLastFailure(lesson), failedAt);
  const known = listLaterRefutations(lesson.validity.refutedBy, last);
  const isKnown = known.some((one) => one.endsWith(` ${callId}`));
  const isCounted = !isKnown && isLater(at, last) && known.length < MAX_KEPT;
  return settle(lesson, isCounted ? [...known, toRefutation(callId, at)].sort() : known, at);
}

/** The mistake was made again: what worked before says nothing any more. Undefined when nothing of that stood against it. */
export function clearLesson(lesson: Lesson, at: string): Lesson | undefined {
  return settle(lesson, listLaterRefutations(lesson.validity.refutedBy, toLatest(findLastFailure(lesson), at)), at);
}

function settle(lesson: Lesson, refutedBy: readonly string[], at: string): Lesson | undefined {
  const { refutedBy: before = [], ...validity } = lesson.validity;
  if (before.length === refutedBy.length && before.every((one, i) => one === refutedBy[i])) return undefined;
  const after = { ...lesson, validity: refutedBy.length === 0 ? validity : { ...validity, refutedBy } };
  const updatedAt = toLatest(lesson.updatedAt, at);
  if (isRefuted(after)) return { ...after, status: 'draft', updatedAt };
  // What calls had silenced speaks again.
  return { ...after, ...(isRefuted(lesson) ? { status: 'active' as const } : {}), updatedAt };
}

function toLatest(a: string, b: string): string {
  return a === '' || isLater(b, a) ? b : a;
}

/**
 * Models and tools outgrow lessons: on which models and releases of agents a lesson was judged, and in which sessions on ones
 * that it was never judged on before. Patches of a release are no other one.
 */
export interface Circumstances {
  readonly sessionId: string;
  readonly agent: string;
  readonly model?: string | undefined;
  readonly agentVersion?: string | undefined;
}

/** A few suffice to know that it is no exception. */
const MAX_SESSIONS = 5;
/** People use several models by turns. Of more than these the ones that were met least are forgotten. */
const MAX_NAMES = 6;

/** Undefined when nothing about it is new. */
export function noteCircumstances(lesson: Lesson, world: Circumstances): Lesson | undefined {
  const before = lesson.measure ?? {};
  const after = listNames(world).reduce((measure, name) => noteName(measure, name, world.sessionId), before);
  return after === before ? undefined : { ...lesson, measure: after };
}

/** The same one when nothing about it is new. */
function noteName(measure: LessonMeasure, name: string, sessionId: string): LessonMeasure {
  const { on = [], untried = [], retest } = measure;
  if (on.includes(name)) return measure;
  const known = untried.find((one) => one.on === name);
  // What comes while it is measured anew comes too late to be measured well.
  if (retest !== undefined && known === undefined) return measure;
  // The first of its kind, or told for the first time: there is nothing to compare it with.
  if (!on.some((one) => isKind(one, name))) return { ...measure, on: [...on, name] };
  const sessions = known?.sessions ?? [];
  if (sessions.includes(sessionId) || sessions.length >= MAX_SESSIONS) return measure;
  const noted = { on: name, sessions: [...sessions, sessionId] };
  return {
    ...measure,
    untried: known === undefined ? [...toFew(untried), noted] : untried.map((one) => (one === known ? noted : one)),
  };
}

/** With room for one more: the last of those with the fewest sessions goes. */
function toFew(untried: readonly Untried[]): readonly Untried[] {
  if (untried.length < MAX_NAMES) return untried;
  const fewest = Math.min(...untried.map(({ sessions }) => sessions.length));
  const dropped = untried.findLastIndex(({ sessions }) => sessions.length === fewest);
  return untried.filter((_, i) => i !== dropped);
}

function listNames({ agent, model, agentVersion }: Circumstances): readonly string[] {
  const release = /^\d+(?:\.\d+)?/.exec(agentVersion ?? '')?.[0];
  return [...(model === undefined ? [] : [model]), ...(release === undefined ? [] : [`${agent} ${release}`])];
}

/** Both models, or both releases of one agent. */
function isKind(name: string, other: string): boolean {
  return toKind(name) === toKind(other);
}

function toKind(name: string): string {
  return /^(\S+) \d+(?:\.\d+)?$/.exec(name)?.[1] ?? '';
}
