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
  /** Takes the folders of events. A folder in which a session begins is checked at once. */
  see(events: readonly { readonly kind?: string; readonly cwd?: string }[]): void;
  /** Returns true if a lesson changed. Rejects if the store fails; the next look tries again. */
  look(): Promise<boolean>;
  /** True if a repository is active, so that checking is worthwhile. */
  isFollowing(): boolean;
}

interface RepositoriesParts {
  readonly store: Store;
  /** The data directory, which has the same name as the folder of a repository and must be skipped. */
  readonly dataDir: string;
  /** True for private folders, by the current settings. */
  readonly isPrivate: (root: string) => boolean;
  readonly log: (line: string) => void;
}

interface Root {
  readonly project: Project;
  seenMs: number;
  stamp?: string | undefined;
  folder?: LessonFolder;
}

/** How long a repository is checked after its last event. */
const FOLLOW_MS = 30 * 60_000;
const MAX_ROOTS = 50;
/** Minimum time between two checks. */
const REST_MS = 100;

export function followRepositories({ store, dataDir, isPrivate, log }: RepositoriesParts): Repositories {
  const findProject = makeProjectFinder();
  const readRepository = makeRepositoryReader(log);
  const roots = new Map<string, Root>();
  let restUntilMs = 0;
  const isActive = ({ seenMs }: Root): boolean => performance.now() - seenMs < FOLLOW_MS;

  /** Returns the project if its files changed and must be synchronized. */
  const read = async (path: string, root: Root): Promise<Project | undefined> => {
    if (stampLessonFolder(path, root.folder?.names ?? []).text === root.stamp) return undefined;
    // Take the stamp before reading, so that a change in between is seen at the next look.
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
    see(events) {
      if (events.some(({ kind }) => kind === 'session-started')) restUntilMs = 0;
      for (const cwd of new Set(events.flatMap((one) => one.cwd ?? []))) {
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

/** If clones differ, the one seen last counts. */
function toFiles(projectId: string, roots: readonly Root[]) {
  const folders = roots.flatMap(({ folder }) => folder ?? []);
  const lessons = new Map(folders.flatMap((folder) => [...folder.lessons]));
  const names = folders.flatMap((folder) => folder.names.map((name) => name.slice(0, -LESSON_ENDING.length)));
  return { projectId, lessons, broken: new Set(names.filter((name) => !lessons.has(name))), isWhole: true };
}

/** Logs each fault once while it lasts. */
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
  /** Names of existing files that are not valid lessons. */
  readonly broken: ReadonlySet<string>;
  /** True if the file exists now. */
  readonly isThere: (slug: string) => boolean;
  /** False if another clone of the project may have files that are missing here. */
  readonly isWhole: boolean;
}

interface Known {
  readonly lessons: readonly Lesson[];
  readonly toProjectId: ToProjectId;
  /** Used slugs and the ids of their lessons. */
  readonly slugs: ReadonlyMap<string, string>;
}

/** Returns true if a lesson is new or changed. */
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
    // The file was written after the folder was read; the next look takes it.
    if (content === undefined && !files.broken.has(slug) && files.isThere(slug)) return undefined;
    return reconcileLessonFile(row, content, toContext(slug, files, known, at));
  };
  const wanted = slugs.filter((slug) => decide(slug, rows.get(slug)) !== undefined);
  if (wanted.length === 0) return false;
  const id = toProjectId(files.projectId);
  // Lock by name, too, because a person may share or unshare the lesson at this moment.
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

/** The project already has a lesson with the same text, so the file adds nothing. */
function isSame(
  row: Lesson | undefined,
  content: LessonFileContent | undefined,
  projectId: string,
  toProjectId: ToProjectId,
): boolean {
  if (row === undefined || content === undefined || row.scope.kind !== 'project') return false;
  return isInScope(row.scope, { projectId }, toProjectId) && row.contentHash === toContentHash(content);
}

/** True if the lesson comes from a file of this project. */
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
    projectId,
    id,
    at,
    toContentHash,
    judge: judgeFile,
    isBroken: files.broken.has(slug),
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

/** Derived from project and slug, so that two readers of the file add one lesson. */
export function toLessonId(projectId: string, slug: string): string {
  return `les_${createHash('sha256').update(`${projectId}\n${slug}`).digest('hex').slice(0, 26).toUpperCase()}`;
}

/** The slug to use if another stored lesson has this slug. */
export function toOtherSlug(slug: string, id: string): string {
  return `${slug}-${id.slice(-4).toLowerCase()}`;
}

/** Reads the lesson files of a repository, without files that contain a secret. */
type ReadRepository = (root: string) => Promise<LessonFolder>;

const MAX_KNOWN = 2_000;

/** Caches which files were scanned for secrets, because one change makes the whole folder be read again. */
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
