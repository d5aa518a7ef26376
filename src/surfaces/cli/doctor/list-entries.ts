/** Files and folders under a folder, itself first, with who they belong to and who may read them. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
}

/** Enough to see what is wrong; a spool may hold very many. */
const MAX_ENTRIES = 10_000;

export function listEntries(dir: string, except: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  const waiting = [dir];
  for (let path = waiting.shift(); path !== undefined && entries.length < MAX_ENTRIES; path = waiting.shift()) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Gone since it was listed, or a link, whose own mode means nothing.
    if (stats === undefined || stats.isSymbolicLink() || except.includes(path)) continue;
    entries.push({ path, mode: stats.mode, uid: stats.uid });
    if (stats.isDirectory()) waiting.push(...listPaths(path));
  }
  return entries;
}

function listPaths(dir: string): readonly string[] {
  try {
    return readdirSync(dir).map((name) => join(dir, name));
  } catch {
    return [];
  }
}
