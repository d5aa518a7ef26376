/**
 * Worlds change: a file is tracked by now, a tool was updated, a path is there again. A lesson that the last calls
 * contradict (it would have spoken, and they worked) becomes a draft. The mistake made again after them clears it. Calls
 * count by their own time, each once: whoever tells of them, in whatever order, the same comes of it.
 */
import type { Lesson } from '../base/lesson.ts';
import { findLastFailure, isLater, isRefuted, listLater, toRefutation } from '../base/refutation.ts';

/** More than any lesson needs: a draft is not written anew for every further call. */
const MAX_KEPT = 6;

export interface Contradiction {
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
  const known = listLater(lesson.validity.refutedBy, last);
  const isKnown = known.some((one) => one.endsWith(` ${callId}`));
  const isCounted = !isKnown && isLater(at, last) && known.length < MAX_KEPT;
  return settle(lesson, isCounted ? [...known, toRefutation(callId, at)].sort() : known, at);
}

/** The mistake was made again: what worked before says nothing any more. Undefined when nothing of that stood against it. */
export function clearLesson(lesson: Lesson, at: string): Lesson | undefined {
  return settle(lesson, listLater(lesson.validity.refutedBy, toLatest(findLastFailure(lesson), at)), at);
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
