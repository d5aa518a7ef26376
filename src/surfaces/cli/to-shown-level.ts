/** How weighty a lesson is where it speaks: what a file of others says of itself counts only once a person here confirmed it. */
import { type Lesson, type Level, toLevel } from '../../base/lesson.ts';
import { toAdvising } from '../../keep/to-advising.ts';

export function toShownLevel(lesson: Lesson): Level {
  return toLevel(toAdvising(lesson).priority);
}

export interface ShownRank {
  readonly level: Level;
  /** As it counts now. */
  readonly priority: number;
  /** As its author stated it, where it counts less until a person here confirms the lesson. */
  readonly statedPriority?: number;
}

export function toShownRank(lesson: Lesson): ShownRank {
  const { priority } = toAdvising(lesson);
  const rank = { level: toLevel(priority), priority };
  return priority === lesson.priority ? rank : { ...rank, statedPriority: lesson.priority };
}

export function renderRank(lesson: Lesson): string {
  const { level, priority, statedPriority } = toShownRank(lesson);
  const later = statedPriority === undefined ? '' : `; ${statedPriority} once you approve it`;
  return `${level} (priority ${priority}${later}), confidence ${lesson.confidence}`;
}
