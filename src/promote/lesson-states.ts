/**
 * Changes the state of a lesson: approve, reject, archive, restore, revive, expire and measure again. A person's
 * verdict holds whatever calls show later, and an archived lesson keeps its record and the reason for its silence.
 * Lessons that a person wrote, edited or confirmed never expire, because a warning about something rare is right even
 * if it never fires.
 */

import { type Archival, type ArchivalCause, type Lesson, LOWEST_PRIORITY } from '../base/model/lesson.ts';
import { isBackedByPerson } from '../base/model/lesson-trust.ts';
import type { Settings } from '../base/model/settings.ts';
import type { Author, Transition } from './transition.ts';

/** A person vouches for it: it may speak. Measurement may lower it again. */
const APPROVED_CONFIDENCE = 0.75;

/** A draft, or what needs review, becomes active. Of an active one it is confirmed that it is right. */
export function approveLesson(lesson: Lesson, { by, at }: Author, minConfidence: number): Transition {
  const { status, needsReview, reviewedBy, slug } = lesson;
  if (status === 'archived')
    return { refused: 'is archived', next: `restore it first: oncebitten lessons restore ${slug}` };
  if (status === 'active' && !needsReview && reviewedBy !== undefined)
    return { refused: `is active, and ${reviewedBy} has reviewed it`, next: `see it: oncebitten lessons show ${slug}` };
  // As an import leaves it that found nothing to speak at.
  if (lesson.triggers.programs?.length === 0)
    return { refused: 'has no trigger yet', next: `say when it speaks: oncebitten lessons edit ${slug} --program "…"` };
  const { provisional: _, ...rest } = lesson;
  const { refutedBy: __, ...validity } = lesson.validity;
  return {
    lesson: {
      ...measureAnew(rest, at),
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

/** Archived for good: the same mistake seen again brings it back neither as it was nor as a new lesson. */
export function rejectLesson(lesson: Lesson, act: Author): Transition {
  if (lesson.archival?.cause === 'rejected' && lesson.status === 'archived')
    return { refused: 'is rejected already', next: `see why: oncebitten lessons history ${lesson.slug}` };
  const rejected = toArchived(lesson, { cause: 'rejected', reason: act.reason ?? 'rejected' }, act.at);
  return { lesson: { ...rejected, needsReview: false, reviewedBy: act.by } };
}

/** These were put aside by time alone. The mistake seen again brings them back. */
const BY_AGE: ReadonlySet<ArchivalCause | undefined> = new Set(['expired', 'unused']);
/** These a person decided, and findings do not decide otherwise. */
const FOR_GOOD: ReadonlySet<ArchivalCause | undefined> = new Set(['rejected', 'archived', 'superseded']);

/** Out of the way and back again. An archived lesson is kept: what is known of it, and why it is silent. */
export function archiveLesson(lesson: Lesson, { at, reason = 'archived' }: Author): Transition {
  if (lesson.status === 'archived')
    return { refused: 'is archived already', next: `see why: oncebitten lessons history ${lesson.slug}` };
  return { lesson: toArchived(lesson, { cause: 'archived', reason }, at) };
}

/** What it was before: a draft is a draft again. A person who wants it back confirms it as far as it goes. */
export function restoreLesson(lesson: Lesson, { by, at }: Author): Transition {
  if (lesson.status !== 'archived')
    return { refused: `is not archived but ${lesson.status}`, next: `see it: oncebitten lessons show ${lesson.slug}` };
  if (lesson.scope.kind === 'session')
    return {
      refused: 'was true in one session only, which is over',
      next: `widen it first: oncebitten lessons edit ${lesson.slug} --scope user`,
    };
  return { lesson: { ...measureAnew(toOpen(lesson), at), reviewedBy: by, updatedAt: at } };
}

export function toArchived(lesson: Lesson, why: Omit<Archival, 'from'>, at: string): Lesson {
  const from = lesson.status === 'archived' ? (lesson.archival?.from ?? 'draft') : lesson.status;
  return { ...lesson, status: 'archived', archival: { ...why, from }, updatedAt: at };
}

/** The mistake was seen again: what only time had put aside counts again, and proves itself anew. */
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
 * What nobody reviewed and what never speaks is put aside by itself. Not what a person wrote, edited or confirmed: a
 * warning about something rare is right though it is silent, and only its author can say otherwise. Undefined when it
 * stays.
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

/** Seen again, restored or matched: all say that it is of use. */
export function toLastUseMs({ createdAt, updatedAt, lastMatchedAt }: Lesson): number {
  const times = [createdAt, updatedAt, lastMatchedAt ?? ''].map(Date.parse);
  return Math.max(...times.filter((ms) => !Number.isNaN(ms)));
}

/**
 * A person decided about it, or made another lesson of it: what was measured before does not count any more. The
 * lesson itself where it never spoke.
 */
export function measureAnew(lesson: Lesson, at: string): Lesson {
  if (lesson.measure === undefined && lesson.lastMatchedAt === undefined) return lesson;
  const { doubt, retest, ...kept } = lesson.measure ?? {};
  return { ...lesson, measure: { ...kept, from: at } };
}
