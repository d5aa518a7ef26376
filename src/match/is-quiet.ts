/**
 * Is this a lesson that agents evidently follow, and that was said today? It need not be said to every session. What is
 * CRITICAL or more than a note is said all the same.
 */
import type { DeliveryMode } from '../base/lesson.ts';
import type { Match } from './match-lessons.ts';
import { PRIORITY_FACTORS } from './score-lesson.ts';

export function isQuiet({ lesson, score }: Match, at: string, maxMode: DeliveryMode): boolean {
  if (lesson.quietUntil === undefined || lesson.quietUntil <= at) return false;
  const isNote = maxMode === 'note' || lesson.mode === 'note';
  return isNote && score.parts.priority < PRIORITY_FACTORS.CRITICAL;
}
