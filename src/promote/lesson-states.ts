/**
 * Changes the state of a lesson: approve, reject, archive, restore, revive, expire and measure again. A person's
 * verdict holds whatever calls show later, and an archived lesson keeps its record and the reason for its silence.
 */

import { type Archival, type ArchivalCause, type Lesson, LOWEST_PRIORITY } from '../base/model/lesson.ts';
import { isBackedByPerson } from '../base/model/lesson-trust.ts';
import type { Settings } from '../base/model/settings.ts';
import type { Author, Transition } from './transition.ts';

/** The confidence of a lesson that a person approves, so that it may fire. Measurement may lower it again. */
const APPROVED_CONFIDENCE = 0.75;

/** Activates a draft or a lesson in review, and confirms an active one. */
export function approveLesson(lesson: Lesson, { by, at }: Author, minConfidence: number): Transition {
  const { status, needsReview, reviewedBy, slug } = lesson;
  if (status === 'archived')
    return { refused: 'is archived', next: `restore it first: oncebitten lessons restore ${slug}` };
  if (status === 'active' && !needsReview && reviewedBy !== undefined)
    return { refused: `is active, and ${reviewedBy} has reviewed it`, next: `see it: oncebitten lessons show ${slug}` };
  // An import leaves a lesson without a trigger like this.
  if (lesson.triggers.programs?.length === 0)
    return { refused: 'has no trigger yet', next: `say when it fires: oncebitten lessons edit ${slug} --program "…"` };
  const { provisional: _, ...rest } = lesson;
  const { refutedBy: __, ...validity } = lesson.validity;
  return {
    lesson: {
      ...restartMeasuring(rest, at),
      validity,
      status: 'active',
      needsReview: false,
      confidence: Math.max(lesson.confidence, APPROVED_CONFIDENCE, minConfidence),
      priority: Math.max(lesson.priority, LOWEST_PRIORITY.MEDIUM),
      reviewedBy: by,
      updatedAt: at,
    },
  };
}

/** Archives the lesson for good: seeing the same mistake again neither restores it nor creates a new lesson. */
export function rejectLesson(lesson: Lesson, act: Author): Transition {
  if (lesson.archival?.cause === 'rejected' && lesson.status === 'archived')
    return { refused: 'is rejected already', next: `see why: oncebitten lessons history ${lesson.slug}` };
  const rejected = toArchived(lesson, { cause: 'rejected', reason: act.reason ?? 'rejected' }, act.at);
  return { lesson: { ...rejected, needsReview: false, reviewedBy: act.by } };
}

/** Archived by age alone; seeing the mistake again restores the lesson. */
const BY_AGE: ReadonlySet<ArchivalCause | undefined> = new Set(['expired', 'unused']);
/** Archived by a person's decision, which findings do not overrule. */
const FOR_GOOD: ReadonlySet<ArchivalCause | undefined> = new Set(['rejected', 'archived', 'superseded']);

/** An archived lesson keeps its record and the reason. */
export function archiveLesson(lesson: Lesson, { at, reason = 'archived' }: Author): Transition {
  if (lesson.status === 'archived')
    return { refused: 'is archived already', next: `see why: oncebitten lessons history ${lesson.slug}` };
  return { lesson: toArchived(lesson, { cause: 'archived', reason }, at) };
}

/** Restores the earlier status: a draft becomes a draft again. Restoring also counts as confirmation. */
export function restoreLesson(lesson: Lesson, { by, at }: Author): Transition {
  if (lesson.status !== 'archived')
    return { refused: `is not archived but ${lesson.status}`, next: `see it: oncebitten lessons show ${lesson.slug}` };
  if (lesson.scope.kind === 'session')
    return {
      refused: 'was valid in one session only, which has ended',
      next: `widen it first: oncebitten lessons edit ${lesson.slug} --scope user`,
    };
  return { lesson: { ...restartMeasuring(toOpen(lesson), at), reviewedBy: by, updatedAt: at } };
}

export function toArchived(lesson: Lesson, why: Omit<Archival, 'from'>, at: string): Lesson {
  const from = lesson.status === 'archived' ? (lesson.archival?.from ?? 'draft') : lesson.status;
  return { ...lesson, status: 'archived', archival: { ...why, from }, updatedAt: at };
}

/** The mistake was seen again, so a lesson that was archived by age becomes active and has to prove itself again. */
export function reviveLesson(lesson: Lesson): Lesson {
  if (lesson.status !== 'archived' || !BY_AGE.has(lesson.archival?.cause)) return lesson;
  const open = toOpen(lesson);
  return lesson.reviewedBy === undefined ? { ...open, status: 'draft' } : open;
}

export function isArchivedForGood({ status, archival }: Lesson): boolean {
  return status === 'archived' && FOR_GOOD.has(archival?.cause);
}

function toOpen(lesson: Lesson): Lesson {
  const { archival, ...rest } = lesson;
  const { supersededBy: _, ...validity } = lesson.validity;
  return { ...rest, validity, status: archival?.from ?? 'draft' };
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Archives lessons that nobody reviewed and lessons that never fire. Not lessons that a person wrote, edited or
 * confirmed, because a warning about something rare is right even if it never fires. Undefined if the lesson stays.
 */
export function expireLesson(
  lesson: Lesson,
  { drafts, unused }: Pick<Settings, 'drafts' | 'unused'>,
  nowMs: number,
): Lesson | undefined {
  const { status } = lesson;
  if (isBackedByPerson(lesson) || status === 'archived') return undefined;
  const days = status === 'draft' ? drafts.expireDays : unused.archiveDays;
  if (days === 0 || nowMs - toLastUseMs(lesson) < days * DAY_MS) return undefined;
  const why =
    status === 'draft'
      ? { cause: 'expired' as const, reason: `a draft that nobody reviewed in ${days} days` }
      : { cause: 'unused' as const, reason: `neither matched nor changed in ${days} days` };
  return toArchived(lesson, why, new Date(nowMs).toISOString());
}

/** The last time that the lesson was seen again, restored or matched. */
export function toLastUseMs({ createdAt, updatedAt, lastMatchedAt }: Lesson): number {
  const times = [createdAt, updatedAt, lastMatchedAt ?? ''].map(Date.parse);
  return Math.max(...times.filter((ms) => !Number.isNaN(ms)));
}

/**
 * A person decided about the lesson or changed it, so earlier measurements no longer count. Returns the same lesson if
 * it was never shown.
 */
export function restartMeasuring(lesson: Lesson, at: string): Lesson {
  if (lesson.measure === undefined && lesson.lastMatchedAt === undefined) return lesson;
  const { doubt, retest, ...kept } = lesson.measure ?? {};
  return { ...lesson, measure: { ...kept, from: at } };
}
