/** What waits for a person: drafts and lessons that need review, what weighs most first. */
import { isWaiting } from '../../../base/is-waiting.ts';
import type { Lesson } from '../../../base/lesson.ts';

export function listReview(lessons: readonly Lesson[], limit: number): readonly Lesson[] {
  return lessons.filter(isWaiting).sort(byWeight).slice(0, limit);
}

function byWeight(a: Lesson, b: Lesson): number {
  return (
    b.priority - a.priority ||
    b.sessions - a.sessions ||
    b.confidence - a.confidence ||
    (a.slug < b.slug ? -1 : Number(a.slug > b.slug))
  );
}
