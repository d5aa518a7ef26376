/**
 * The mistake was seen again, and the trigger tried on the calls since: it would have been wrong more often than right. A
 * lesson that was learned from one pair of calls, when there was nothing else to try it on, then waits for a person.
 */
import type { Finding } from '../../base/model/finding.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { Gate } from './gate-finding.ts';

/** Undefined where it may go on: what a person reviewed, or what deliveries have measured, is decided there. */
export function doubtLesson(
  lesson: Lesson,
  { triggers }: Pick<Finding, 'triggers'>,
  { hits = 0, falseAlarms = 0 }: Partial<Pick<Gate, 'hits' | 'falseAlarms'>>,
  at: string,
): Lesson | undefined {
  const isOwn = lesson.status === 'active' && lesson.origin.kind === 'episode' && lesson.reviewedBy === undefined;
  const isSame = JSON.stringify(lesson.triggers) === JSON.stringify(triggers);
  if (!isOwn || !isSame || lesson.measure !== undefined || falseAlarms <= hits) return undefined;
  return { ...lesson, status: 'draft', needsReview: true, tested: { hits, falseAlarms }, updatedAt: at };
}
