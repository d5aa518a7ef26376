/** Why a lesson is silent for now though it is there: its time is over, or has not come. Undefined when neither. */
import type { Lesson } from '../../base/lesson.ts';
import { toMinute } from './to-line.ts';

export function findTimeLimit(
  { validity: { from, until } }: Pick<Lesson, 'validity'>,
  now: string,
): string | undefined {
  if (until !== undefined && until <= now) return `over since ${toMinute(until)}`;
  return from !== undefined && from > now ? `not before ${toMinute(from)}` : undefined;
}
