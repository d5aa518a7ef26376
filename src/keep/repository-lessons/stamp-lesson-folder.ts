/** Changes whenever a file of the folder was added, changed or removed. One stat, and one for each file that is known. */
import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { toLessonFolder } from './read-lesson-folder.ts';

export interface FolderStamp {
  readonly text: string;
  /** Something changed so lately that a second change would have the same times. */
  readonly isFresh: boolean;
}

/** Clocks of file systems are coarse. */
const FRESH_MS = 100;

/** `names`: the files that were there when it was last read; a new one moves the folder's own time. */
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
