/**
 * Makes lessons follow their projects after projects were joined or parted. Lessons of parted projects go back to the
 * projects of their calls. A lesson that became one for every project, although no two of its projects are proven to be
 * different repositories, goes back to the project that it was learned in first. The same lesson of two joined projects
 * becomes one. What a person decided stays; every change can be undone.
 */

import type { Store } from '../../base/contracts/store.ts';
import { makeId } from '../../base/ids.ts';
import type { KeptChange, Lesson, LessonUpdate, Scope } from '../../base/model/lesson.ts';
import { type AreDifferent, makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import { DEFAULT_WEIGHTS, type ScoringWeights } from '../../base/model/settings.ts';
import { toMergeKey } from '../../distill/lessons/hash-lesson.ts';
import { rescore } from '../../distill/lessons/score-lesson.ts';
import { addFix } from '../../distill/text/retell-lesson.ts';
import { addLessons, JOINED_BY, PARTED_BY, supersedeLesson } from '../../promote/merge-lessons.ts';
import { readAreDifferent } from '../learning/known-lessons.ts';
import { returnLessons } from './return-lessons.ts';

/** Returns true if a lesson changed. A second run changes nothing. */
export async function repairLessons(store: Store, weights: ScoringWeights = DEFAULT_WEIGHTS): Promise<boolean> {
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const isReturned = await returnLessons(store, toProjectId, weights);
  const isNarrowed = await narrowLessons(store, toProjectId, await readAreDifferent(store), weights);
  return (await mergeTwins(store, toProjectId, weights)) || isNarrowed || isReturned;
}

/** Learned, and without any decision by a person. */
function isOurs({ origin, reviewedBy, file, status }: Lesson): boolean {
  return (
    (origin.kind === 'episode' || origin.kind === 'self-report') &&
    reviewedBy === undefined &&
    file === undefined &&
    status !== 'archived'
  );
}

async function narrowLessons(
  store: Store,
  toProjectId: ToProjectId,
  areDifferent: AreDifferent,
  weights: ScoringWeights,
): Promise<boolean> {
  const wide = (await store.listLessons()).filter((lesson) => isOurs(lesson) && lesson.scope.kind === 'user');
  const places = await store.listLessonProjects(wide.map(({ id }) => id));
  let isChanged = false;
  for (const { id, projects } of wide) {
    const ids = [...new Set([...(places.get(id) ?? [])].map(toProjectId))];
    if (ids.length === 0) continue;
    const isProven = ids.some((one) => ids.some((other) => areDifferent(one, other)));
    const first = isProven ? undefined : findWidened(await store.listLessonHistory(id));
    if (first === undefined && ids.length >= projects) continue;
    const scope: Scope | undefined = first === undefined ? undefined : { kind: 'project', id: toProjectId(first) };
    const count = scope === undefined ? ids.length : 1;
    const at = new Date().toISOString();
    const reason =
      scope === undefined
        ? 'some of its projects are one'
        : 'no two of its projects are proven to be different repositories: for its first project only';
    const saved = await store.updateLessons([id], ([lesson]) => {
      if (lesson === undefined || !isOurs(lesson) || lesson.scope.kind !== 'user') return [];
      return [{ lesson: narrow(lesson, count, scope, at, weights), change: { by: JOINED_BY, reason, at } }];
    });
    isChanged ||= saved.length > 0;
  }
  return isChanged;
}

function narrow(
  lesson: Lesson,
  projects: number,
  scope: Scope | undefined,
  at: string,
  weights: ScoringWeights,
): Lesson {
  const counted = { ...lesson, projects };
  return { ...counted, ...rescore(lesson, lesson, counted, weights), scope: scope ?? lesson.scope, updatedAt: at };
}

/**
 * The project of a lesson before Oncebitten widened it to every project. Undefined if it was for every project from the
 * beginning, or if a person widened it.
 */
function findWidened(history: readonly KeptChange[]): string | undefined {
  const last = history.findLast(({ before, after }) => before !== undefined && before.scope.kind !== after.scope.kind);
  const isOwn = last?.after.scope.kind === 'user' && !last.by.startsWith('user:');
  return isOwn && last.before?.scope.kind === 'project' ? last.before.scope.id : undefined;
}

async function mergeTwins(store: Store, toProjectId: ToProjectId, weights: ScoringWeights): Promise<boolean> {
  const lessons = (await store.listLessons()).filter(isMergeable);
  const twins = [...Map.groupBy(lessons, (lesson) => toKey(lesson, toProjectId)).values()];
  let isChanged = false;
  for (const some of twins.filter(({ length }) => length > 1)) {
    const [into, ...others] = some.toSorted(byStanding);
    const from = await listUntouched(
      store,
      others.filter(({ reviewedBy }) => reviewedBy === undefined),
    );
    if (into === undefined || from.length === 0) continue;
    const saved = await store.updateLessons([into.id, ...from], (now) => mergeNow(now, weights, toProjectId));
    isChanged ||= saved.length > 0;
  }
  return isChanged;
}

/** A learned lesson of one project that has no file. */
function isMergeable({ scope, origin, file, status }: Lesson): boolean {
  const isLearned = origin.kind === 'episode' || origin.kind === 'self-report';
  return scope.kind === 'project' && isLearned && file === undefined && status !== 'archived';
}

function toKey(lesson: Lesson, toProjectId: ToProjectId): string {
  const projectId = toProjectId(lesson.scope.id ?? '');
  // Lessons with equal keys were kept apart only by their projects.
  return `${projectId} ${toMergeKey(lesson, projectId)}`;
}

/** Orders reviewed lessons first, then active ones, then by occurrences, then by age. */
function byStanding(a: Lesson, b: Lesson): number {
  const rank = ({ reviewedBy, status }: Lesson): number =>
    Number(reviewedBy !== undefined) * 2 + Number(status === 'active');
  return rank(b) - rank(a) || b.occurrences - a.occurrences || (a.createdAt < b.createdAt ? -1 : 1);
}

/** Leaves out lessons that were merged once: they are back because a person undid it or the projects were parted. */
async function listUntouched(store: Store, lessons: readonly Lesson[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { id } of lessons) {
    const last = (await store.listLessonHistory(id)).findLast(({ by }) => by === JOINED_BY || by === PARTED_BY);
    if (last?.by !== JOINED_BY) ids.push(id);
  }
  return ids;
}

function mergeNow(
  now: readonly (Lesson | undefined)[],
  weights: ScoringWeights,
  toProjectId: ToProjectId,
): readonly LessonUpdate[] {
  const [into, ...from] = now.filter((lesson) => lesson !== undefined).filter(isMergeable);
  if (into === undefined || into !== now[0] || from.length === 0) return [];
  const at = new Date().toISOString();
  const command = makeId('cmd', Date.now());
  const added = addLessons(into, from, at, toProjectId);
  const sum = into.reviewedBy === undefined ? from.reduce(addFixOf, added) : added;
  const counted = { ...sum, scope: into.scope, projects: 1 };
  const scores = [into, ...from].map((lesson) => rescore(lesson, lesson, counted, weights));
  const merged = {
    ...counted,
    priority: Math.max(...scores.map(({ priority }) => priority)),
    confidence: Math.max(...scores.map(({ confidence }) => confidence)),
  };
  const reason = 'its project and that of another lesson are the same';
  const act = { by: JOINED_BY, at, reason, command };
  return [
    // A reviewed lesson keeps its rank.
    { lesson: into.reviewedBy === undefined ? merged : { ...merged, ...toRank(into) }, change: act },
    ...from.map((lesson) => ({
      lesson: supersedeLesson(lesson, into, { ...act, reason: `${reason}: ${into.slug}` }),
      change: act,
    })),
  ];
}

function toRank({ priority, confidence }: Lesson): Pick<Lesson, 'priority' | 'confidence'> {
  return { priority, confidence };
}

/** Adds the fix of the merged lesson, because the two may have been fixed in different ways. */
function addFixOf(into: Lesson, { edit }: Lesson): Lesson {
  return edit === undefined ? into : addFix(into, edit);
}
