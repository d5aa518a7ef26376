/**
 * Reads the lesson files of the repositories in which something happens, as they change. Beside the agents: a call waits for
 * none of it. Clones and worktrees of one project may differ: what any of them has is there.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../../base/session.ts';
import type { Store } from '../../base/store.ts';
import {
  LESSON_ENDING,
  type LessonFolder,
  listLessonNames,
  toLessonPath,
} from '../../keep/repository-lessons/read-lesson-folder.ts';
import { stampLessonFolder } from '../../keep/repository-lessons/stamp-lesson-folder.ts';
import { makeProjectFinder } from '../loop/make-project-finder.ts';
import { makeRepositoryReader } from './read-repository.ts';
import { syncRepository } from './sync-repository.ts';

export interface Repositories {
  /** Something happens in these folders. What begins there is looked at, at once. */
  see(told: readonly { readonly kind?: string; readonly cwd?: string }[]): void;
  /** True when a lesson changed. Rejects when the store does not take it; the next look tries again. */
  look(): Promise<boolean>;
  /** Some repository is at work, so that looking is worth the while. */
  isFollowing(): boolean;
}

export interface RepositoriesParts {
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
        if (roots.size > MAX_ROOTS) roots.delete(roots.keys().next().value ?? '');
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

export function renderFault({ file, line, reason }: LessonFolder['faults'][number]): string {
  return `lesson file ${file}${line === undefined ? '' : `:${line}`}: ${reason}; skipped`;
}
