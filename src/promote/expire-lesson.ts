/**
 * What nobody reviewed and what never speaks is put aside by itself. Not what a person wrote, edited or confirmed:
 * a warning about something rare is right though it is silent, and only its author can say otherwise.
 */
import type { Lesson } from '../base/lesson.ts';
import type { Settings } from '../base/settings.ts';
import { toArchived } from './archive-lesson.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Undefined when it stays. */
export function expireLesson(
  lesson: Lesson,
  { drafts, unused }: Pick<Settings, 'drafts' | 'unused'>,
  nowMs: number,
): Lesson | undefined {
  const { origin, reviewedBy, status } = lesson;
  if (origin.kind === 'user' || reviewedBy !== undefined || status === 'archived') return undefined;
  const days = status === 'draft' ? drafts.expireDays : unused.archiveDays;
  if (days === 0 || nowMs - toLastUseMs(lesson) < days * DAY_MS) return undefined;
  const why =
    status === 'draft'
      ? { cause: 'expired' as const, reason: `a draft that nobody reviewed in ${days} days` }
      : { cause: 'unused' as const, reason: `neither matched nor changed in ${days} days` };
  return toArchived(lesson, why, new Date(nowMs).toISOString());
}

/** Seen again, restored or matched: all say that it is of use. */
export function toLastUseMs({ createdAt, updatedAt, lastMatchedAt }: Lesson): number {
  const times = [createdAt, updatedAt, lastMatchedAt ?? ''].map(Date.parse);
  return Math.max(...times.filter((ms) => !Number.isNaN(ms)));
}
