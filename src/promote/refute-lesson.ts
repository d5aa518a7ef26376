/**
 * Worlds change: a file is tracked by now, a tool was updated, a path is there again. A lesson that the last calls
 * contradict (it would have spoken, and they worked) becomes a draft. The mistake seen again clears it.
 */
import type { Lesson } from '../base/lesson.ts';

/** So many in a row. What held in several projects is not given up for one of them so soon. */
const ENOUGH = { project: 2, user: 3 } as const;

/** Only what was learned and never confirmed by a person: that is theirs to take back. */
export function isRefutable({ origin, status, reviewedBy, scope }: Lesson): boolean {
  const isLearned = origin.kind === 'episode' && reviewedBy === undefined;
  return isLearned && status === 'active' && (scope.kind === 'project' || scope.kind === 'user');
}

/** A call that the lesson speaks at worked. Undefined when that call is known. */
export function refuteLesson(lesson: Lesson, callId: string, at: string): Lesson | undefined {
  const known = lesson.validity.refutedBy ?? [];
  if (known.includes(callId)) return undefined;
  const refutedBy = [...known, callId];
  const enough = lesson.scope.kind === 'user' ? ENOUGH.user : ENOUGH.project;
  const validity = { ...lesson.validity, refutedBy };
  if (refutedBy.length < enough) return { ...lesson, validity, updatedAt: at };
  return { ...lesson, validity, status: 'draft', updatedAt: at };
}

/** The mistake was made again: the lesson is right. Undefined when nothing stood against it. */
export function clearLesson(lesson: Lesson, at: string): Lesson | undefined {
  const { refutedBy, ...validity } = lesson.validity;
  return refutedBy === undefined ? undefined : { ...lesson, validity, updatedAt: at };
}
