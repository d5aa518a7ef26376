/**
 * Decides how far a lesson is trusted: whether a person confirmed or vouched for it, whether it waits for review, and
 * whether successful calls have refuted it. Refuting calls are stored with time and id, so that the result does not
 * depend on the order in which calls and failures are reported.
 */

import { type Lesson, LOWEST_PRIORITY, toLevel } from './lesson.ts';
import type { Settings } from './settings.ts';

/** It came from outside, and no person here has confirmed it. */
export function isUnconfirmed({ origin, reviewedBy }: Pick<Lesson, 'origin' | 'reviewedBy'>): boolean {
  return origin.trust === 'foreign' && reviewedBy === undefined;
}

/** A person wrote or confirmed it, so only a person takes it back. */
export function isBackedByPerson({ origin, reviewedBy }: Pick<Lesson, 'origin' | 'reviewedBy'>): boolean {
  return origin.kind === 'user' || reviewedBy !== undefined;
}

/**
 * A CRITICAL lesson that a person wrote or approved. What is measured may change its figures but never silences it: only a
 * person takes it back.
 */
export function isVouchedFor(lesson: Pick<Lesson, 'priority' | 'origin' | 'reviewedBy'>): boolean {
  return toLevel(lesson.priority) === 'CRITICAL' && isBackedByPerson(lesson);
}

/** A lesson from outside that no person here confirmed only advises: it is a note, and never CRITICAL. */
export function toAdvising<T extends Pick<Lesson, 'mode' | 'priority' | 'origin' | 'reviewedBy'>>(lesson: T): T {
  if (!isUnconfirmed(lesson)) return lesson;
  return { ...lesson, mode: 'note', priority: Math.min(lesson.priority, LOWEST_PRIORITY.CRITICAL - 1) };
}

/** Is the confidence in a lesson high enough for it to fire? */
export function isTrusted(
  lesson: Pick<Lesson, 'confidence' | 'priority' | 'origin' | 'reviewedBy'>,
  { minConfidence }: Pick<Settings, 'minConfidence'>,
): boolean {
  return lesson.confidence >= minConfidence || isVouchedFor(lesson);
}

/** Does a lesson wait for a person? What `oncebitten review` shows. */
export function isWaiting({ status, needsReview }: Pick<Lesson, 'status' | 'needsReview'>): boolean {
  return status === 'draft' || (status === 'active' && needsReview);
}

/**
 * Is a lesson about what is done, whether it works or not? What a person wrote, or corrected an agent with, and what an agent
 * reported by itself: there the failure is what somebody said, and no call will ever print it.
 */
export function isAboutAction({ signatureId, origin }: Pick<Lesson, 'signatureId' | 'origin'>): boolean {
  if (signatureId === undefined || origin.kind === 'self-report') return true;
  return origin.kind === 'episode' && origin.trust === 'stated';
}

/**
 * So many in a row. What held in several projects is not given up for one of them so soon; a tool that works again in the
 * session that it was broken in, and a path that is there, leave no doubt.
 */
const ENOUGH = { session: 1, project: 2, user: 3, team: 3 } as const;
export const ABSENT_PATH = 'topic:absent-path';

/**
 * Calls that worked although a lesson speaks against them. Each is kept as its time and its id, so that what follows from
 * them does not depend on the order in which they, and the failures between them, are told.
 */
export function toRefutation(callId: string, at: string): string {
  return `${at} ${callId}`;
}

/** Those after the last failure. What bears no time was kept by an older version, and nobody knows whether it is later. */
export function listLaterRefutations(refutedBy: readonly string[] = [], failedAt: string): readonly string[] {
  return refutedBy.filter((one) => isLater(one.slice(0, Math.max(0, one.indexOf(' '))), failedAt));
}

/** True where the second is no time. */
export function isLater(at: string, than: string): boolean {
  const [a, b] = [Date.parse(at), Date.parse(than)];
  return !Number.isNaN(a) && !(a <= b);
}

/** When the mistake was made last, as far as the lesson itself tells. Empty where it does not. */
export function findLastFailure({ evidence }: Pick<Lesson, 'evidence'>): string {
  return evidence.reduce((last, { at }) => (last === '' || isLater(at, last) ? at : last), '');
}

export function isRefuted({ validity, scope, tags }: Pick<Lesson, 'validity' | 'scope' | 'tags'>): boolean {
  return (validity.refutedBy?.length ?? 0) >= (tags.includes(ABSENT_PATH) ? 1 : ENOUGH[scope.kind]);
}
