/**
 * Reads the file of a shared lesson, and writes and removes several files as one: the old files come back if a file or
 * the store fails.
 */

import { existsSync, lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { toReason } from '../../../../base/errors.ts';
import type { Lesson } from '../../../../base/model/lesson.ts';
import { hashLessonFile, parseLessonFile, renderLessonFile } from '../../../../keep/sharing/lesson-file.ts';
import { isInside, MAX_FILE_BYTES, toLessonPath } from '../../../../keep/sharing/lesson-folder.ts';
import { writeFileAtomically } from '../../../../loop/home/write-file.ts';
import { userError } from '../../errors.ts';

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

export interface FileChanges {
  write(path: string, text: string): void;
  remove(path: string): void;
  /** Gives back what was there before the first change. */
  undo(): void;
}

/** Files written and removed as one: what was there comes back when something fails, here or in the store. */
export function openFileChanges(): FileChanges {
  const before = new Map<string, Buffer | undefined>();
  const attempt = (path: string, change: () => void): void => {
    try {
      if (!before.has(path)) before.set(path, findBytes(path));
      change();
    } catch (cause) {
      const next = 'check that the folder may be written; nothing was changed';
      throw userError(path, `cannot be changed (${toReason(cause)})`, next, cause);
    }
  };
  return {
    write: (path, text) => attempt(path, () => put(path, Buffer.from(text))),
    remove: (path) => attempt(path, () => drop(path)),
    undo() {
      for (const [path, bytes] of before) {
        try {
          if (bytes === undefined) drop(path);
          else put(path, bytes);
        } catch {
          // The same trouble that we are backing out of: it never got that far then.
        }
      }
    },
  };
}

function put(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomically({ path, bytes, mode: 0o644 });
}

/** With the folders that only held it: `.oncebitten/lessons`, `.oncebitten`. */
function drop(path: string): void {
  rmSync(path, { force: true });
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function findBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
