/**
 * Is a lesson about what is done, whether it works or not? What a person wrote, or corrected an agent with, and what an agent
 * reported by itself: there the failure is what somebody said, and no call will ever print it.
 */
import type { Lesson } from './lesson.ts';

export function isAboutDeed({ signatureId, origin }: Pick<Lesson, 'signatureId' | 'origin'>): boolean {
  if (signatureId === undefined || origin.kind === 'self-report') return true;
  return origin.kind === 'episode' && origin.trust === 'stated';
}
