/** Drafts and lessons that need review, the most important first. */
import { isWaiting } from '../../../base/is-waiting.ts';
import type { Lesson } from '../../../base/lesson.ts';

export function listReview(lessons: readonly Lesson[]): readonly Lesson[] {
  return lessons.filter(isWaiting).sort(byWeight);
}

function byWeight(a: Lesson, b: Lesson): number {
  return (
    b.priority - a.priority ||
    b.sessions - a.sessions ||
    b.confidence - a.confidence ||
    (a.slug < b.slug ? -1 : Number(a.slug > b.slug))
  );
}
