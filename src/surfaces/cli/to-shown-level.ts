/** How weighty a lesson is where it speaks: what a file of others says of itself counts only once a person here confirmed it. */
import { type Lesson, type Level, toLevel } from '../../base/lesson.ts';
import { toAdvising } from '../../keep/to-advising.ts';

export function toShownLevel(lesson: Lesson): Level {
  return toLevel(toAdvising(lesson).priority);
}
