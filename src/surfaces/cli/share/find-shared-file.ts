/** What stands in the file that a lesson is shared as, right now. */
import { existsSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { Lesson } from '../../../base/lesson.ts';
import { hashLessonFile } from '../../../keep/repository-lessons/hash-lesson-file.ts';
import { parseLessonFile } from '../../../keep/repository-lessons/parse-lesson-file.ts';
import { isInside, MAX_FILE_BYTES, toLessonPath } from '../../../keep/repository-lessons/read-lesson-folder.ts';
import { renderLessonFile } from '../../../keep/repository-lessons/render-lesson-file.ts';

/** Undefined when there is no such file; `hash` is undefined when it is no lesson. */
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

/** A folder that leads elsewhere is nobody's repository. */
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
