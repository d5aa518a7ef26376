/**
 * Path triggers of a project's lessons that match no file of its repository: the file was moved, or the glob was mistyped,
 * and the lesson will never fire. A lesson that was learned from a missing file is right about that and not listed.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../../base/lesson.ts';
import { makeToProjectId } from '../../base/project-alias.ts';
import type { Project } from '../../base/session.ts';
import type { Store } from '../../base/store.ts';
import { toGlobRegex } from '../../keep/to-glob-regex.ts';
import { testRegex } from '../../match/test-regex.ts';
import { askGit } from '../install/find-git-state.ts';

export interface UnmatchedPath {
  readonly slug: string;
  readonly path: string;
  /** The folder that was looked through. */
  readonly root: string;
}

const MAX_FILES = 100_000;
const GIT_MS = 10_000;

/** `here`: the project of the current folder, which the store knows only once a session was captured in it. */
export async function listUnmatchedPaths(
  store: Store,
  here: Pick<Project, 'id' | 'root'>,
): Promise<readonly UnmatchedPath[]> {
  const lessons = (await store.listLessons()).filter(hasOwnPaths);
  if (lessons.length === 0) return [];
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const byProject = Map.groupBy(lessons, ({ scope }) => toProjectId(scope.id ?? ''));
  const projects = [...(await store.listProjects()), here];
  const roots = new Map(projects.map(({ id, root }) => [toProjectId(id), root]));
  return [...byProject].flatMap(([id, some]) => {
    const root = roots.get(id);
    const files = root === undefined ? undefined : findFiles(root);
    return root === undefined || files === undefined ? [] : some.flatMap((lesson) => listDead(lesson, root, files));
  });
}

function hasOwnPaths({ scope, status, triggers, origin }: Lesson): boolean {
  const isOpen = status !== 'archived' && scope.kind === 'project';
  return isOpen && triggers.paths !== undefined && !(origin.kind === 'episode' && origin.trust === 'observed');
}

/** `~/` is outside of every repository. */
function listDead({ slug, triggers }: Lesson, root: string, files: readonly string[]): readonly UnmatchedPath[] {
  const isDead = (glob: string): boolean => {
    const regex = toGlobRegex(glob);
    return !files.some((file) => testRegex(regex, file));
  };
  const own = (triggers.paths ?? []).filter((glob) => !/^(?:\.\/)*~\//.test(glob));
  return own.filter(isDead).map((path) => ({ slug, path, root }));
}

/** Absolute paths, as calls name them. Undefined where the folder is gone, or too large to look through. */
function findFiles(root: string): readonly string[] | undefined {
  if (!(statSync(root, { throwIfNoEntry: false })?.isDirectory() ?? false)) return undefined;
  return listOfGit(root) ?? walk(root);
}

function listOfGit(root: string): readonly string[] | undefined {
  const { status, stdout } = askGit(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], GIT_MS);
  if (status !== 0) return undefined;
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((file) => file !== '')
    .map((file) => join(root, file));
}

const SKIPPED = new Set(['.git', 'node_modules', '.venv', 'target', 'dist', 'build']);

function walk(root: string): readonly string[] | undefined {
  const files: string[] = [];
  const open = [root];
  for (let dir = open.pop(); dir !== undefined; dir = open.pop()) {
    for (const entry of readEntries(dir)) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) open.push(join(dir, entry.name));
      if (entry.isFile()) files.push(join(dir, entry.name));
    }
    if (files.length > MAX_FILES) return undefined;
  }
  return files;
}

function readEntries(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
