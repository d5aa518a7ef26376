/**
 * Learning from the same failing call once more, with the rules of today. A lesson that counted it counts it no second
 * time. A lesson of another form gives the evidence to the lesson of today; when nothing is left of it, it is superseded.
 * What a person decided about a lesson, or deleted, holds for the failures that taught it.
 */
import type { EpisodeStart } from '../../base/episode.ts';
import type { Finding } from '../../base/finding.ts';
import type { Evidence, Lesson } from '../../base/lesson.ts';
import type { Store } from '../../base/store.ts';
import { dropEvidence } from '../../distill/lesson/drop-evidence.ts';
import { isArchivedForGood } from '../../promote/archive-lesson.ts';
import { supersedeLesson } from '../../promote/merge-lessons.ts';
import type { Learning } from './open-learning.ts';

/** As the history names it. */
export const RELEARNED_BY = 'scan/again@1';

/** What the failing call taught before. */
export interface Taught {
  readonly taught: readonly Lesson[];
  /** A person did something about a lesson of it. */
  readonly isDecided: boolean;
  /** It was learned from, and nothing tells any more what came of it. */
  readonly isUnclear: boolean;
}

export async function readTaught(store: Store, learning: Learning, start: EpisodeStart): Promise<Taught> {
  const past = learning.listPast(start);
  const ids = [...new Set(past.flatMap(({ lessonId }) => lessonId ?? []))];
  const lessons = await Promise.all(ids.map((id) => store.findLesson(id)));
  const taught = lessons.filter((lesson) => lesson !== undefined);
  // The lesson was deleted, and perhaps the finding does not name it any more.
  const isGone = taught.length < ids.length || past.some((one) => one.verdict !== 'dropped' && !one.lessonId);
  return {
    taught,
    isDecided: isGone || taught.some(isDecided),
    isUnclear: learning.isKnown(start) && past.length === 0,
  };
}

/** Merged by a person or not: what is superseded leads to the lesson that took its place. */
function isDecided(lesson: Lesson): boolean {
  const isRefused = isArchivedForGood(lesson) && lesson.archival?.cause !== 'superseded';
  return isRefused || lesson.reviewedBy !== undefined || lesson.file !== undefined;
}

/** The lesson has this very failure among its counts. */
export function isCounted(known: Lesson | undefined, { taught, isUnclear }: Taught): boolean {
  if (known === undefined) return false;
  return isUnclear || taught.some(({ id, validity }) => id === known.id || validity.supersededBy === known.id);
}

export async function withdrawEvidence(
  store: Store,
  taught: readonly Lesson[],
  { evidence }: Finding,
  into: Lesson,
): Promise<void> {
  const others = taught.filter(({ id, status }) => id !== into.id && status !== 'archived');
  for (const { id } of others) {
    const at = new Date().toISOString();
    await store.updateLessons([id], ([lesson]) => {
      if (lesson === undefined || lesson.status === 'archived' || isDecided(lesson)) return [];
      const left = withoutEvidence(lesson, evidence);
      const reason = `learned again as ${into.slug}`;
      const after = left ?? supersedeLesson(lesson, into, { by: RELEARNED_BY, at, reason });
      return [{ lesson: { ...after, updatedAt: at }, change: { by: RELEARNED_BY, reason, at } }];
    });
  }
}

/** Of a lesson with much evidence only some is kept: then only its count tells of the rest. */
function withoutEvidence(lesson: Lesson, gone: Evidence): Lesson | undefined {
  const left = dropEvidence(lesson, (one) => one.sessionId === gone.sessionId && one.at === gone.at);
  if (left !== lesson) return left;
  return lesson.occurrences > 1 ? { ...lesson, occurrences: lesson.occurrences - 1 } : undefined;
}
