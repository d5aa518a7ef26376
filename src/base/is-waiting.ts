/** Does a lesson wait for a person? What `oncebitten review` shows. */
import type { Lesson } from './lesson.ts';

export function isWaiting({ status, needsReview }: Pick<Lesson, 'status' | 'needsReview'>): boolean {
  return status === 'draft' || (status === 'active' && needsReview);
}
