/**
 * Decides how far a lesson is trusted: whether a person confirmed or vouched for it, whether it waits for review, and
 * whether successful calls have refuted it. Refuting calls are stored with time and id, so that the result does not
 * depend on the order in which calls and failures are reported.
 */

import { type Lesson, LOWEST_PRIORITY, toLevel } from './lesson.ts';
import type { Settings } from './settings.ts';

/** The lesson came from outside, and no person here has confirmed it. */
export function isUnconfirmed({ origin, reviewedBy }: Pick<Lesson, 'origin' | 'reviewedBy'>): boolean {
  return origin.trust === 'foreign' && reviewedBy === undefined;
}

/** A model proposed the lesson, and no person here has confirmed it. */
export function isProposed({ origin, reviewedBy }: Pick<Lesson, 'origin' | 'reviewedBy'>): boolean {
  return origin.kind === 'model' && reviewedBy === undefined;
}

/** Words of others, or of a model, which no person here has confirmed: the lesson is a note and never acts. */
export function isOnlyAdvice(lesson: Pick<Lesson, 'origin' | 'reviewedBy'>): boolean {
  return isUnconfirmed(lesson) || isProposed(lesson);
}

/** A person wrote or confirmed the lesson, so only a person may retire it. */
export function isBackedByPerson({ origin, reviewedBy }: Pick<Lesson, 'origin' | 'reviewedBy'>): boolean {
  return origin.kind === 'user' || reviewedBy !== undefined;
}

/**
 * A CRITICAL lesson that a person wrote or approved. Measurement may change its figures but never silences it; only a
 * person may retire it.
 */
export function isVouchedFor(lesson: Pick<Lesson, 'priority' | 'origin' | 'reviewedBy'>): boolean {
  return toLevel(lesson.priority) === 'CRITICAL' && isBackedByPerson(lesson);
}

/** A lesson from outside or of a model that no person here confirmed only advises: it is a note, and never CRITICAL. */
export function toAdvising<T extends Pick<Lesson, 'mode' | 'priority' | 'origin' | 'reviewedBy'>>(lesson: T): T {
  if (!isOnlyAdvice(lesson)) return lesson;
  return { ...lesson, mode: 'note', priority: Math.min(lesson.priority, LOWEST_PRIORITY.CRITICAL - 1) };
}

/** Is the confidence in the lesson high enough for it to fire? */
export function isTrusted(
  lesson: Pick<Lesson, 'confidence' | 'priority' | 'origin' | 'reviewedBy'>,
  { minConfidence }: Pick<Settings, 'minConfidence'>,
): boolean {
  return lesson.confidence >= minConfidence || isVouchedFor(lesson);
}

/** Does the lesson wait for a person? `oncebitten lessons review` shows these lessons. */
export function isWaiting({ status, needsReview }: Pick<Lesson, 'status' | 'needsReview'>): boolean {
  return status === 'draft' || (status === 'active' && needsReview);
}

/**
 * Is the lesson about an action, whether the action works or not? True for lessons that a person wrote or corrected an
 * agent with, and for agents' own reports: no call prints the failure that such a lesson is about.
 */
export function isAboutAction({ signatureId, origin }: Pick<Lesson, 'signatureId' | 'origin'>): boolean {
  if (signatureId === undefined || origin.kind === 'self-report') return true;
  return origin.kind === 'episode' && origin.trust === 'stated';
}

/**
 * The number of successful calls in a row that refutes a lesson. A lesson from several projects needs more, because one
 * project may be the exception. A session lesson, and one about an absent path, needs only one.
 */
const ENOUGH = { session: 1, project: 2, user: 3, team: 3 } as const;
export const ABSENT_PATH = 'topic:absent-path';

/** A refutation: a call that succeeded although the lesson warns against it. */
export function toRefutation(callId: string, at: string): string {
  return `${at} ${callId}`;
}

/**
 * The refutations after the last failure. Entries without a time are from an older version and do not count, because
 * their order is unknown.
 */
export function listLaterRefutations(refutedBy: readonly string[] = [], failedAt: string): readonly string[] {
  return refutedBy.filter((one) => isLater(one.slice(0, Math.max(0, one.indexOf(' '))), failedAt));
}

/** True if `than` is not a valid time. */
export function isLater(at: string, than: string): boolean {
  const [a, b] = [Date.parse(at), Date.parse(than)];
  return !Number.isNaN(a) && !(a <= b);
}

/** The time of the newest evidence of the mistake, or an empty string. */
export function findLastFailure({ evidence }: Pick<Lesson, 'evidence'>): string {
  return evidence.reduce((last, { at }) => (last === '' || isLater(at, last) ? at : last), '');
}

export function isRefuted({ validity, scope, tags }: Pick<Lesson, 'validity' | 'scope' | 'tags'>): boolean {
  return (validity.refutedBy?.length ?? 0) >= (tags.includes(ABSENT_PATH) ? 1 : ENOUGH[scope.kind]);
}
