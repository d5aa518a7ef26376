/**
 * Reads the lesson folder of a repository, `.oncebitten/lessons`: its lessons, its faulty files, and a stamp that
 * changes when a file is added, changed or removed. Reading never throws.
 */

import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { toReason } from '../../base/errors.ts';
import { type LessonFileResult, type ParsedLessonFile, parseLessonFile } from './lesson-file.ts';

export interface LessonFolder {
  /** By slug. */
  readonly lessons: ReadonlyMap<string, ParsedLessonFile>;
  readonly faults: readonly FolderFault[];
  /** Names of all files, including faulty ones. */
  readonly names: readonly string[];
}

export interface FolderFault {
  readonly file: string;
  /** Absent if the fault is about the file as a whole. */
  readonly line?: number;
  readonly reason: string;
}

export const MAX_FILES = 300;
export const MAX_FILE_BYTES = 32 * 1024;
export const LESSON_ENDING = '.json';
const NO_LESSONS: LessonFolder = { lessons: new Map(), faults: [], names: [] };

export function toLessonFolder(root: string): string {
  return join(root, '.oncebitten', 'lessons');
}

export function toLessonPath(root: string, slug: string): string {
  return join(toLessonFolder(root), `${slug}${LESSON_ENDING}`);
}

export function readLessonFolder(root: string): LessonFolder {
  const folder = toLessonFolder(root);
  try {
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return NO_LESSONS;
    if (!isInside(root, folder)) return fail(folder, 'leads out of the repository and is not read');
    const all = listNames(folder);
    const names = all.slice(0, MAX_FILES);
    const over = all.length > MAX_FILES ? [{ file: folder, reason: toTooMany(all.length) }] : [];
    return { ...readAll(root, folder, names, over), names };
  } catch (error) {
    return fail(folder, `cannot be read (${toReason(error)})`);
  }
}

/** The files that would be read. */
export function listLessonNames(root: string): readonly string[] {
  try {
    return listNames(toLessonFolder(root)).slice(0, MAX_FILES);
  } catch {
    return [];
  }
}

function listNames(folder: string): readonly string[] {
  return readdirSync(folder).filter(isLessonName).sort();
}

function isLessonName(name: string): boolean {
  return name.endsWith(LESSON_ENDING) && !name.startsWith('.');
}

function toTooMany(count: number): string {
  return `has ${count} files, only the first ${MAX_FILES} by name are read`;
}

function readAll(
  root: string,
  folder: string,
  names: readonly string[],
  before: readonly FolderFault[],
): Pick<LessonFolder, 'lessons' | 'faults'> {
  const lessons = new Map<string, ParsedLessonFile>();
  const faults = [...before];
  for (const name of names) {
    const file = join(folder, name);
    const result = readOne(root, file, name.slice(0, -LESSON_ENDING.length));
    if ('content' in result) lessons.set(result.content.slug, result.content);
    else faults.push({ file, ...result });
  }
  return { lessons, faults };
}

function readOne(root: string, file: string, slug: string): LessonFileResult | Pick<FolderFault, 'reason'> {
  try {
    if (!isInside(root, file)) return { reason: 'leads out of the repository and is not read' };
    const stats = statSync(file);
    const fault = findFileFault(stats);
    return fault === undefined ? parseLessonFile(slug, readFileSync(file, 'utf8')) : { reason: fault };
  } catch (error) {
    return { reason: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})` };
  }
}

/** Checked before opening, because reading a pipe would wait for ever. */
function findFileFault(stats: Stats): string | undefined {
  if (!stats.isFile()) return 'is not a file';
  return stats.size > MAX_FILE_BYTES ? `is larger than ${MAX_FILE_BYTES / 1024} KB` : undefined;
}

/** Also checks where links lead. */
export function isInside(root: string, path: string): boolean {
  return realpathSync(path).startsWith(`${realpathSync(root)}${sep}`);
}

function fail(file: string, reason: string): LessonFolder {
  return { ...NO_LESSONS, faults: [{ file, reason }] };
}

/** Changes whenever a file was added, changed or removed. One stat of the folder, and one for each known file. */
interface FolderStamp {
  readonly text: string;
  /** The last change is so recent that another one could have the same time. */
  readonly isFresh: boolean;
}

/** File system times are coarse. */
const FRESH_MS = 100;

/** `names`: the files at the last read; a new file changes the folder's own time. */
export function stampLessonFolder(root: string, names: readonly string[]): FolderStamp {
  const folder = toLessonFolder(root);
  const all = [folder, ...names.map((name) => join(folder, name))].map(findStats);
  const newestMs = Math.max(...all.map((stats) => Math.max(stats?.mtimeMs ?? 0, stats?.ctimeMs ?? 0)));
  return { text: all.map(toText).join('\n'), isFresh: Math.abs(Date.now() - newestMs) < FRESH_MS };
}

function toText(stats: Stats | undefined): string {
  return stats === undefined ? 'absent' : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
