/**
 * Notices that a lesson is outdated: recent calls contradict it, or agents use it on a model or release that it was not
 * measured on. If calls that it would have fired on work (a file is now tracked, a tool was updated, a path exists
 * again), the lesson becomes a draft; the same mistake after them clears it. Each call counts once and by its own time,
 * so the result does not depend on the source or order of reports.
 */

import type { Lesson, LessonMeasure, Untried } from '../base/model/lesson.ts';
import { findLastFailure, isLater, isRefuted, listLaterRefutations, toRefutation } from '../base/model/lesson-trust.ts';

/** More than any lesson needs, so that a draft is not saved again for every further call. */
const MAX_KEPT = 6;

interface Contradiction {
  readonly callId: string;
  readonly at: string;
  /** The last time of the mistake, as far as stored calls show. */
  readonly failedAt?: string | undefined;
}

/**
 * Only learned lessons that no person has confirmed, and those that calls silenced before. A working call does not
 * contradict a person's correction.
 */
export function isRefutable(lesson: Lesson): boolean {
  const { origin, status, reviewedBy, scope } = lesson;
  const isLearned = origin.kind === 'episode' && origin.trust !== 'stated' && reviewedBy === undefined;
  const isOpen = status === 'active' || (status === 'draft' && isRefuted(lesson));
  return isLearned && isOpen && scope.kind !== 'team';
}

/**
 * Records a successful call that the lesson fires on. Undefined if that changes nothing: the call is known, or the
 * mistake was made later.
 */
export function refuteLesson(lesson: Lesson, { callId, at, failedAt = '' }: Contradiction): Lesson | undefined {
  const last = toLatest(findLastFailure(lesson), failedAt);
  const known = listLaterRefutations(lesson.validity.refutedBy, last);
  const isKnown = known.some((one) => one.endsWith(` ${callId}`));
  const isCounted = !isKnown && isLater(at, last) && known.length < MAX_KEPT;
  return settle(lesson, isCounted ? [...known, toRefutation(callId, at)].sort() : known, at);
}

/** The mistake was made again, so earlier successes no longer count. Undefined if there were none. */
export function clearLesson(lesson: Lesson, at: string): Lesson | undefined {
  return settle(lesson, listLaterRefutations(lesson.validity.refutedBy, toLatest(findLastFailure(lesson), at)), at);
}

function settle(lesson: Lesson, refutedBy: readonly string[], at: string): Lesson | undefined {
  const { refutedBy: before = [], ...validity } = lesson.validity;
  if (before.length === refutedBy.length && before.every((one, i) => one === refutedBy[i])) return undefined;
  const after = { ...lesson, validity: refutedBy.length === 0 ? validity : { ...validity, refutedBy } };
  const updatedAt = toLatest(lesson.updatedAt, at);
  if (isRefuted(after)) return { ...after, status: 'draft', updatedAt };
  // A lesson that calls had silenced fires again.
  return { ...after, ...(isRefuted(lesson) ? { status: 'active' as const } : {}), updatedAt };
}

function toLatest(a: string, b: string): string {
  return a === '' || isLater(b, a) ? b : a;
}

/**
 * The model and agent release of a session. A lesson records those it was measured on, and the sessions on others.
 * Patch releases count as the same release.
 */
export interface Circumstances {
  readonly sessionId: string;
  readonly agent: string;
  readonly model?: string | undefined;
  readonly agentVersion?: string | undefined;
}

/** Enough to show that the use is no exception. */
const MAX_SESSIONS = 5;
/** People alternate between models. Beyond this number, the ones with the fewest sessions are dropped. */
const MAX_NAMES = 6;

/** Undefined if nothing is new. */
export function noteCircumstances(lesson: Lesson, circumstances: Circumstances): Lesson | undefined {
  const before = lesson.measure ?? {};
  const after = listNames(circumstances).reduce(
    (measure, name) => noteName(measure, name, circumstances.sessionId),
    before,
  );
  return after === before ? undefined : { ...lesson, measure: after };
}

/** Returns the same object if nothing is new. */
function noteName(measure: LessonMeasure, name: string, sessionId: string): LessonMeasure {
  const { on = [], untried = [], retest } = measure;
  if (on.includes(name)) return measure;
  const known = untried.find((one) => one.on === name);
  // A new name during a repeated measurement comes too late to be measured well.
  if (retest !== undefined && known === undefined) return measure;
  // The first of its kind, or reported for the first time, so there is nothing to compare it with.
  if (!on.some((one) => isKind(one, name))) return { ...measure, on: [...on, name] };
  const sessions = known?.sessions ?? [];
  if (sessions.includes(sessionId) || sessions.length >= MAX_SESSIONS) return measure;
  const noted = { on: name, sessions: [...sessions, sessionId] };
  return {
    ...measure,
    untried: known === undefined ? [...makeRoom(untried), noted] : untried.map((one) => (one === known ? noted : one)),
  };
}

/** Makes room for one more by dropping the last of those with the fewest sessions. */
function makeRoom(untried: readonly Untried[]): readonly Untried[] {
  if (untried.length < MAX_NAMES) return untried;
  const fewest = Math.min(...untried.map(({ sessions }) => sessions.length));
  const dropped = untried.findLastIndex(({ sessions }) => sessions.length === fewest);
  return untried.filter((_, i) => i !== dropped);
}

function listNames({ agent, model, agentVersion }: Circumstances): readonly string[] {
  const release = /^\d+(?:\.\d+)?/.exec(agentVersion ?? '')?.[0];
  return [...(model === undefined ? [] : [model]), ...(release === undefined ? [] : [`${agent} ${release}`])];
}

/** Are both models, or both releases of one agent? */
function isKind(name: string, other: string): boolean {
  return toKind(name) === toKind(other);
}

function toKind(name: string): string {
  return /^(\S+) \d+(?:\.\d+)?$/.exec(name)?.[1] ?? '';
}
