/** A person looked at a lesson: it is right, or it is wrong. Both are remembered whatever is seen later. */
import type { Lesson } from '../base/lesson.ts';
import { toArchived } from './archive-lesson.ts';
import { measureAnew } from './measure-anew.ts';
import type { Act, Transition } from './transition.ts';

/** A person vouches for it: it may speak. Measurement may lower it again. */
const APPROVED_CONFIDENCE = 0.75;
/** Under it a lesson cannot reach the threshold of the score. */
const APPROVED_PRIORITY = 4;

/** A draft, or what needs review, becomes active. Of an active one it is confirmed that it is right. */
export function approveLesson(lesson: Lesson, { by, at }: Act, minConfidence: number): Transition {
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
      priority: Math.max(lesson.priority, APPROVED_PRIORITY),
      reviewedBy: by,
      updatedAt: at,
    },
  };
}

/** Archived for good: the same mistake seen again brings it back neither as it was nor as a new lesson. */
export function rejectLesson(lesson: Lesson, act: Act): Transition {
  if (lesson.archival?.cause === 'rejected' && lesson.status === 'archived')
    return { refused: 'is rejected already', next: `see why: oncebitten lessons history ${lesson.slug}` };
  const rejected = toArchived(lesson, { cause: 'rejected', reason: act.reason ?? 'rejected' }, act.at);
  return { lesson: { ...rejected, needsReview: false, reviewedBy: act.by } };
}
