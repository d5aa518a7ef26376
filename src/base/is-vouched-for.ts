/**
 * A CRITICAL lesson that a person wrote or approved. What is measured may change its figures but never silences it: only a
 * person takes it back.
 */
import { type Lesson, toLevel } from './lesson.ts';

export function isVouchedFor({
  priority,
  origin,
  reviewedBy,
}: Pick<Lesson, 'priority' | 'origin' | 'reviewedBy'>): boolean {
  return toLevel(priority) === 'CRITICAL' && (origin.kind === 'user' || reviewedBy !== undefined);
}
