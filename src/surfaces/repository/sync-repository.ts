/** A repository's lesson files -> the store: one transaction, decided from what the store has at that moment. */
import { createHash } from 'node:crypto';
import type { Lesson } from '../../base/lesson.ts';
import { makeToProjectId, type ToProjectId } from '../../base/project-alias.ts';
import type { Store } from '../../base/store.ts';
import { judgeForeign } from '../../distill/guard/judge-foreign.ts';
import { toContentHash } from '../../distill/lesson/hash-lesson.ts';
import type { LessonFileContent } from '../../keep/repository-lessons/lesson-file-schema.ts';
import { type ReconcileContext, reconcileLessonFile } from '../../keep/repository-lessons/reconcile-lesson-file.ts';
import { isArchivedForGood } from '../../promote/archive-lesson.ts';
import { findTriggerNoise } from '../find-trigger-noise.ts';

export interface RepositoryFiles {
  readonly projectId: string;
  readonly lessons: ReadonlyMap<string, LessonFileContent>;
  /** Names of files that are there and no lessons. */
  readonly broken: ReadonlySet<string>;
  /** Whether there is such a file right now. */
  readonly isThere: (slug: string) => boolean;
  /** False where another clone of the project may have what is not here. */
  readonly isWhole: boolean;
}

interface Known {
  readonly lessons: readonly Lesson[];
  readonly toProjectId: ToProjectId;
  /** Names that are taken, and by whom. */
  readonly slugs: ReadonlyMap<string, string>;
}

/** True when a lesson is new or changed. */
export async function syncRepository(store: Store, files: RepositoryFiles): Promise<boolean> {
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const lessons = await store.listLessons();
  const known: Known = { lessons, toProjectId, slugs: new Map(lessons.map(({ slug, id }) => [slug, id])) };
  const rows = new Map(
    known.lessons
      .filter((lesson) => isOf(lesson, files.projectId, toProjectId))
      .map((row) => [row.file?.slug ?? '', row]),
  );
  const slugs = [...new Set([...files.lessons.keys(), ...(files.isWhole ? rows.keys() : [])])];
  const at = new Date().toISOString();
  const decide = (slug: string, row: Lesson | undefined) => {
    const content = files.lessons.get(slug);
    // Written since the folder was read: the next look tells.
    if (content === undefined && !files.broken.has(slug) && files.isThere(slug)) return undefined;
    return reconcileLessonFile(row, content, toContext(slug, files, known, at));
  };
  const wanted = slugs.filter((slug) => decide(slug, rows.get(slug)) !== undefined);
  if (wanted.length === 0) return false;
  const id = toProjectId(files.projectId);
  // By its name too: a person may share it at this very moment, or have taken it back.
  const names = wanted.flatMap((slug) => [rows.get(slug)?.id ?? toLessonId(id, slug), slug]);
  const saved = await store.updateLessons(names, (fresh) =>
    wanted.flatMap((slug, i) => {
      const [byId, byName] = [fresh[2 * i], fresh[2 * i + 1]];
      return (
        decide(slug, byId ?? (isSame(byName, files.lessons.get(slug), id, toProjectId) ? byName : undefined)) ?? []
      );
    }),
  );
  return saved.length > 0;
}

/** This project's own lesson with these very words: it speaks for the file, which adds nothing. */
function isSame(
  row: Lesson | undefined,
  content: LessonFileContent | undefined,
  projectId: string,
  toProjectId: ToProjectId,
): boolean {
  if (row === undefined || content === undefined || row.scope.kind !== 'project') return false;
  return toProjectId(row.scope.id ?? '') === projectId && row.contentHash === toContentHash(content);
}

export function isOf({ file, scope }: Lesson, projectId: string, toProjectId: ToProjectId): boolean {
  return file !== undefined && scope.kind === 'project' && toProjectId(scope.id ?? '') === toProjectId(projectId);
}

function toContext(
  slug: string,
  files: RepositoryFiles,
  { lessons, toProjectId, slugs }: Known,
  at: string,
): ReconcileContext {
  const projectId = toProjectId(files.projectId);
  const id = toLessonId(projectId, slug);
  const isTaken = (slugs.get(slug) ?? id) !== id;
  return {
    ...{ projectId, id, at, toContentHash, judge: judgeFile, isBroken: files.broken.has(slug) },
    slug: isTaken ? toOtherSlug(slug, id) : slug,
    findRefused: (content, contentHash) =>
      lessons.find(
        (lesson) =>
          isArchivedForGood(lesson) &&
          isHeardIn(lesson, projectId, toProjectId) &&
          (lesson.contentHash === contentHash || (lesson.file?.slug ?? lesson.slug) === content.slug),
      )?.slug,
  };
}

function judgeFile(content: LessonFileContent): readonly string[] {
  const reasons = judgeForeign(content);
  const isNoisy = findTriggerNoise(content.triggers) !== undefined;
  return isNoisy ? [...new Set([...reasons, 'it would speak at every call of a tool'])] : reasons;
}

function isHeardIn({ scope }: Lesson, projectId: string, toProjectId: ToProjectId): boolean {
  return scope.kind === 'project' ? toProjectId(scope.id ?? '') === projectId : scope.kind !== 'session';
}

/** The same for everybody who reads the file: two that read it at once add one lesson. */
export function toLessonId(projectId: string, slug: string): string {
  return `les_${createHash('sha256').update(`${projectId}\n${slug}`).digest('hex').slice(0, 26).toUpperCase()}`;
}

/** In the store another lesson has that name. */
export function toOtherSlug(slug: string, id: string): string {
  return `${slug}-${id.slice(-4).toLowerCase()}`;
}
