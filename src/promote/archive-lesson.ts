/** Out of the way and back again. An archived lesson is kept: what is known of it, and why it is silent. */
import type { Archival, ArchivalCause, Lesson } from '../base/lesson.ts';
import { measureAnew } from './measure-anew.ts';
import type { Act, Transition } from './transition.ts';

/** These were put aside by time alone. The mistake seen again brings them back. */
const BY_AGE: ReadonlySet<ArchivalCause | undefined> = new Set(['expired', 'unused']);
/** These a person decided, and findings do not decide otherwise. */
const FOR_GOOD: ReadonlySet<ArchivalCause | undefined> = new Set(['rejected', 'archived', 'superseded']);

export function archiveLesson(lesson: Lesson, { at, reason = 'archived' }: Act): Transition {
  if (lesson.status === 'archived')
    return { refused: 'is archived already', next: `see why: oncebitten lessons history ${lesson.slug}` };
  return { lesson: toArchived(lesson, { cause: 'archived', reason }, at) };
}

/** What it was before: a draft is a draft again. A person who wants it back confirms it as far as it goes. */
export function restoreLesson(lesson: Lesson, { by, at }: Act): Transition {
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
