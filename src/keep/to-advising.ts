/** What came from outside and nobody here confirmed may advise: a note, never as weighty as what a person here vouches for. */
import { isUnconfirmed } from '../base/is-vouched-for.ts';
import type { Lesson } from '../base/lesson.ts';

/** The highest that is not CRITICAL. */
const MAX_PRIORITY = 8;

export function toAdvising(lesson: Lesson): Lesson {
  if (!isUnconfirmed(lesson)) return lesson;
  if (lesson.mode === 'note' && lesson.priority <= MAX_PRIORITY) return lesson;
  return { ...lesson, mode: 'note', priority: Math.min(lesson.priority, MAX_PRIORITY) };
}
