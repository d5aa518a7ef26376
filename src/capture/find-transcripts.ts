/** The session files under a folder. */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface FoundTranscript {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
}

/**
 * `at` is a folder (one of an agent's places, or one that a person named) or a single file; `isSession` tells by the
 * path. Oldest first, so that what is learned early explains what comes later. Hidden and closed folders and what
 * cannot be read are left out, and what is reached a second time through a link; a path that does not exist gives an
 * empty list.
 */
export function findTranscripts(
  at: string,
  isSession: (path: string) => boolean,
  isClosed: (folder: string) => boolean = () => false,
): readonly FoundTranscript[] {
  const found: FoundTranscript[] = [];
  const folders = [at];
  const seen = new Set<string>();
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (isSeen(folder, seen)) continue;
    const entries = listFolder(folder);
    if (entries === undefined) addFile(folder, found);
    for (const entry of entries ?? []) {
      const path = join(folder, entry.name);
      if (!isFolder(entry, path)) {
        if (isSession(path)) addFile(path, found);
      } else if (!entry.name.startsWith('.') && !isClosed(path)) folders.push(path);
    }
  }
  return found.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));
}

function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** By its real path: links may lead in a circle. */
function isSeen(folder: string, seen: Set<string>): boolean {
  try {
    const real = realpathSync(folder);
    const isOld = seen.has(real);
    seen.add(real);
    return isOld;
  } catch {
    return false;
  }
}

function listFolder(path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function addFile(path: string, found: FoundTranscript[]): void {
  try {
    const stat = statSync(path);
    if (stat.isFile()) found.push({ path, size: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino });
  } catch {
    // Gone since it was listed, or not ours to read.
  }
}
