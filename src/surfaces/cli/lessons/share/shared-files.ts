/**
 * The lesson files of a repository: takes those of this folder into the store, as the daemon does, and reads, writes and
 * removes the file of one lesson.
 */

import { existsSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { Lesson } from '../../../../base/model/lesson.ts';
import type { Project } from '../../../../base/model/session.ts';
import { isPrivate } from '../../../../base/model/switches.ts';
import { hashLessonFile, parseLessonFile, renderLessonFile } from '../../../../keep/sharing/lesson-file.ts';
import {
  type FolderFault,
  isInside,
  LESSON_ENDING,
  type LessonFolder,
  MAX_FILE_BYTES,
  toLessonPath,
} from '../../../../keep/sharing/lesson-folder.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import { identifyProject } from '../../../../loop/projects/find-project.ts';
import { makeRepositoryReader, syncRepository } from '../../../../loop/repository-lessons.ts';
import type { OpenHome } from '../../open-home.ts';
import type { FileEdits } from '../file-edits.ts';

/** Undefined if the file does not exist; `hash` is undefined if it is not a lesson. */
export function findSharedFile(root: string, slug: string): { readonly hash?: string } | undefined {
  const path = toLessonPath(root, slug);
  const stats = findStats(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return {};
  const parsed = parseLessonFile(slug, readFileSync(path, 'utf8'));
  return 'content' in parsed ? { hash: hashLessonFile(parsed.content) } : {};
}

/** The hash of the file that the lesson would be; as a reader sees it. */
export function toSharedHash(lesson: Lesson, slug: string): string {
  const parsed = parseLessonFile(slug, renderLessonFile(lesson, slug));
  if ('content' in parsed) return hashLessonFile(parsed.content);
  throw new Error(`a lesson that was checked is none: ${parsed.reason}`);
}

/** Refuses a folder that is a link out of the repository. */
export function isOwnFolder(root: string, path: string): boolean {
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder))
    if (existsSync(folder)) return isInside(root, folder);
  return true;
}

/** Where no folder can be, there is no file either; writing one says what is wrong. */
function findStats(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function writeLessonFile(files: FileEdits, path: string, lesson: Lesson, slug: string): void {
  files.edit(path, () => Buffer.from(renderLessonFile(lesson, slug)));
}

/** With the folders that only held it: `.oncebitten/lessons`, `.oncebitten`. */
export function removeLessonFile(files: FileEdits, path: string): void {
  files.edit(path, () => undefined, [dirname(dirname(path)), dirname(path)]);
}

interface Here {
  readonly project: Project;
  readonly folder: LessonFolder;
}

/** Somebody who changes a file again and again gets the rest from the daemon. */
const MAX_READS = 5;

/**
 * A file that is gone here may be in another clone, so only the daemon, which sees all clones, removes its lesson. The
 * files are read again afterwards, because somebody may have changed one while they were searched for secrets, and the
 * daemon may have stored the change. The older content must not stay in the store: the daemon would not look again.
 */
export async function readHere(open: OpenHome, cwd: string): Promise<Here> {
  const project = identifyProject(cwd);
  const read = makeRepositoryReader(open.log);
  let folder = await read(project.root);
  if (folder.lessons.size === 0 || isPrivate(project.root, open.settings.privateProjects)) return { project, folder };
  let isChanged = false;
  for (let reads = 0; reads < MAX_READS; reads++) {
    isChanged = (await syncRepository(open.store, toFiles(project, folder))) || isChanged;
    const before = folder;
    folder = await read(project.root);
    if (isSameContent(before, folder)) break;
  }
  if (isChanged) await compileLessons(open);
  return { project, folder };
}

function toFiles({ id, root }: Project, { lessons, names }: LessonFolder): Parameters<typeof syncRepository>[1] {
  const slugs = names.map((name) => name.slice(0, -LESSON_ENDING.length));
  return {
    ...{ projectId: id, lessons, isWhole: false },
    broken: new Set(slugs.filter((slug) => !lessons.has(slug))),
    isThere: (slug) => existsSync(toLessonPath(root, slug)),
  };
}

function isSameContent(a: LessonFolder, b: LessonFolder): boolean {
  const toText = ({ lessons }: LessonFolder): string =>
    JSON.stringify([...lessons].map(([slug, content]) => [slug, hashLessonFile(content)]));
  return toText(a) === toText(b);
}

/** For a person, behind a list. */
export function renderFaults(faults: readonly FolderFault[]): string {
  if (faults.length === 0) return '';
  const lines = faults.map(({ file, line, reason }) => `  ${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
  return ['', '', `Lesson files of this repository that cannot be used: ${faults.length}`, ...lines].join('\n');
}
