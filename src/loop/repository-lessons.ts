/**
 * Reads the lesson files of active repositories as they change, skips files that contain a secret, and updates the
 * store in one transaction. No call waits for this work. Clones and worktrees of one project may differ, so a lesson is
 * present if any of them has its file.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dropOldest } from '../base/bounded-memory.ts';
import type { Store } from '../base/contracts/store.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { isInScope } from '../base/model/lesson-scope.ts';
import { makeToProjectId, type ToProjectId } from '../base/model/project.ts';
import type { Project } from '../base/model/session.ts';
import { makeSecretScan } from '../capture/secrets/scan-secrets.ts';
import { judgeForeign } from '../distill/gate/outside-text/judge-foreign.ts';
import { toContentHash } from '../distill/lessons/hash-lesson.ts';
import { hashLessonFile, type LessonFileContent } from '../keep/sharing/lesson-file.ts';
import {
  LESSON_ENDING,
  type LessonFolder,
  listLessonNames,
  readLessonFolder,
  stampLessonFolder,
  toLessonPath,
} from '../keep/sharing/lesson-folder.ts';
import { type ReconcileContext, reconcileLessonFile } from '../keep/sharing/reconcile-lesson-file.ts';
import { isArchivedForGood } from '../promote/lesson-states.ts';
import { findSecretField } from './checks/lesson-secrets.ts';
import { findTriggerNoise } from './checks/trigger-faults.ts';
import { makeProjectFinder } from './projects/find-project.ts';

export interface Repositories {
  /** Something happens in these folders. What begins there is looked at, at once. */
  see(told: readonly { readonly kind?: string; readonly cwd?: string }[]): void;
  /** True when a lesson changed. Rejects when the store does not take it; the next look tries again. */
  look(): Promise<boolean>;
  /** Some repository is at work, so that looking is worth the while. */
  isFollowing(): boolean;
}

interface RepositoriesParts {
  readonly store: Store;
  /** Our own: a home folder has one of the same name. */
  readonly dataDir: string;
  /** Folders that are nobody's business, as they are now. */
  readonly isPrivate: (root: string) => boolean;
  readonly log: (line: string) => void;
}

interface Root {
  readonly project: Project;
  seenMs: number;
  stamp?: string | undefined;
  folder?: LessonFolder;
}

/** Longer than anybody looks at what a removed file did. */
const FOLLOW_MS = 30 * 60_000;
const MAX_ROOTS = 50;
/** Calls may come faster than anybody edits files. */
const REST_MS = 100;

export function followRepositories({ store, dataDir, isPrivate, log }: RepositoriesParts): Repositories {
  const findProject = makeProjectFinder();
  const readRepository = makeRepositoryReader(log);
  const roots = new Map<string, Root>();
  let restUntilMs = 0;
  const isActive = ({ seenMs }: Root): boolean => performance.now() - seenMs < FOLLOW_MS;

  /** The project whose files have to be told to the store. */
  const read = async (path: string, root: Root): Promise<Project | undefined> => {
    if (stampLessonFolder(path, root.folder?.names ?? []).text === root.stamp) return undefined;
    // Before the files are read: what changes in between is seen at the next look.
    const stamp = stampLessonFolder(path, listLessonNames(path));
    const folder = await readRepository(path);
    logFaults(folder, root.folder, log);
    root.folder = folder;
    root.stamp = stamp.isFresh ? undefined : stamp.text;
    return root.project;
  };
  const sync = async ({ id }: Project): Promise<boolean> => {
    const ofProject = [...roots.values()].filter(({ project }) => project.id === id);
    const paths = ofProject.map(({ project }) => project.root);
    const isThere = (slug: string): boolean => paths.some((path) => existsSync(toLessonPath(path, slug)));
    try {
      return await syncRepository(store, { ...toFiles(id, ofProject), isThere });
    } catch (error) {
      for (const root of ofProject) root.stamp = undefined;
      throw error;
    }
  };
  return {
    see(told) {
      if (told.some(({ kind }) => kind === 'session-started')) restUntilMs = 0;
      for (const cwd of new Set(told.flatMap((one) => one.cwd ?? []))) {
        const project = findProject(cwd);
        const { root } = project;
        if (join(root, '.oncebitten') === dataDir) continue;
        const known = roots.get(root);
        roots.delete(root);
        const isSame = known?.project.id === project.id;
        if (!isSame) restUntilMs = 0;
        roots.set(root, { ...(isSame ? known : {}), project, seenMs: performance.now() });
        dropOldest(roots, MAX_ROOTS);
      }
    },
    async look() {
      if (performance.now() < restUntilMs) return false;
      restUntilMs = performance.now() + REST_MS;
      const active = [...roots].filter(([path, root]) => isActive(root) && !isPrivate(path));
      const projects = new Map<string, Project>();
      for (const [path, root] of active) {
        const project = await read(path, root);
        if (project !== undefined) projects.set(project.id, project);
      }
      let isChanged = false;
      for (const project of projects.values()) isChanged = (await sync(project)) || isChanged;
      return isChanged;
    },
    isFollowing: () => [...roots.values()].some(isActive),
  };
}

/** Where two differ, the one that was seen last counts. */
function toFiles(projectId: string, roots: readonly Root[]) {
  const folders = roots.flatMap(({ folder }) => folder ?? []);
  const lessons = new Map(folders.flatMap((folder) => [...folder.lessons]));
  const names = folders.flatMap((folder) => folder.names.map((name) => name.slice(0, -LESSON_ENDING.length)));
  return { projectId, lessons, broken: new Set(names.filter((name) => !lessons.has(name))), isWhole: true };
}

/** Each once, as long as it stays. */
function logFaults({ faults }: LessonFolder, before: LessonFolder | undefined, log: (line: string) => void): void {
  const known = new Set(before?.faults.map(renderFault));
  for (const line of faults.map(renderFault)) if (!known.has(line)) log(line);
}

function renderFault({ file, line, reason }: LessonFolder['faults'][number]): string {
  return `lesson file ${file}${line === undefined ? '' : `:${line}`}: ${reason}; skipped`;
}

interface RepositoryFiles {
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
  return isInScope(row.scope, { projectId }, toProjectId) && row.contentHash === toContentHash(content);
}

/** A repository's lesson files -> the store: one transaction, decided from what the store has at that moment. */
export function isOf({ file, scope }: Lesson, projectId: string, toProjectId: ToProjectId): boolean {
  return file !== undefined && scope.kind === 'project' && isInScope(scope, { projectId }, toProjectId);
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
          isInScope(lesson.scope, { projectId }, toProjectId) &&
          (lesson.contentHash === contentHash || (lesson.file?.slug ?? lesson.slug) === content.slug),
      )?.slug,
  };
}

function judgeFile(content: LessonFileContent): readonly string[] {
  const reasons = judgeForeign(content);
  const isNoisy = findTriggerNoise(content.triggers) !== undefined;
  return isNoisy ? [...new Set([...reasons, 'it would fire on every call of a tool'])] : reasons;
}

/** The same for everybody who reads the file: two that read it at once add one lesson. */
export function toLessonId(projectId: string, slug: string): string {
  return `les_${createHash('sha256').update(`${projectId}\n${slug}`).digest('hex').slice(0, 26).toUpperCase()}`;
}

/** In the store another lesson has that name. */
export function toOtherSlug(slug: string, id: string): string {
  return `${slug}-${id.slice(-4).toLowerCase()}`;
}

/** A repository's lesson files without those that hold a secret: their words would get into the store. */
type ReadRepository = (root: string) => Promise<LessonFolder>;

const MAX_KNOWN = 2_000;

/** Remembers which files were looked through: a folder is read again whenever one of them changes. */
export function makeRepositoryReader(log: (line: string) => void): ReadRepository {
  const scan = makeSecretScan({ log });
  const known = new Map<string, string | undefined>();
  return async (root) => {
    const folder = readLessonFolder(root);
    const lessons = new Map(folder.lessons);
    const faults = [...folder.faults];
    if (known.size > MAX_KNOWN) known.clear();
    for (const [slug, content] of folder.lessons) {
      const hash = hashLessonFile(content);
      if (!known.has(hash)) known.set(hash, await findSecretField(content, scan));
      const field = known.get(hash);
      if (field === undefined) continue;
      lessons.delete(slug);
      faults.push({ file: toLessonPath(root, slug), reason: `${field}: seems to contain a secret` });
    }
    return { ...folder, lessons, faults };
  };
}
