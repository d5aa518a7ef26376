/** A person decided about it, or made another lesson of it: what was measured before does not count any more. */
import type { Lesson } from '../base/lesson.ts';

/** The lesson itself where it never spoke. */
export function measureAnew(lesson: Lesson, at: string): Lesson {
  if (lesson.measure === undefined && lesson.lastMatchedAt === undefined) return lesson;
  const { doubt, retest, ...kept } = lesson.measure ?? {};
  return { ...lesson, measure: { ...kept, from: at } };
}
