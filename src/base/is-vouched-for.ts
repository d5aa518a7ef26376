/** Whether a person here stands behind a lesson. */
import { type Lesson, toLevel } from './lesson.ts';

/** It came from outside, and no person here has confirmed it. */
export function isUnconfirmed({ origin, reviewedBy }: Pick<Lesson, 'origin' | 'reviewedBy'>): boolean {
  return origin.trust === 'foreign' && reviewedBy === undefined;
}

/**
 * A CRITICAL lesson that a person wrote or approved. What is measured may change its figures but never silences it: only a
 * person takes it back.
 */
export function isVouchedFor({
  priority,
  origin,
  reviewedBy,
}: Pick<Lesson, 'priority' | 'origin' | 'reviewedBy'>): boolean {
  return toLevel(priority) === 'CRITICAL' && (origin.kind === 'user' || reviewedBy !== undefined);
}
