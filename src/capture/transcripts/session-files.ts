/** Finds the session files under a folder, the format of each file, and the folder that a session began in. */

import { closeSync, type Dirent, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { AgentHistory, SessionFormat } from '../../base/contracts/agent-history.ts';
import { compareTexts, parseJson } from '../../base/records.ts';

export interface FoundTranscript {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
}

/**
 * `at` is a folder (an agent's own, or one that a person named) or a single file; `isSession` decides by the path.
 * Oldest first, so that earlier sessions explain later ones. Hidden, closed and unreadable folders are left out, and
 * folders that a link reaches a second time; a path that does not exist gives an empty list.
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
  return found.sort((a, b) => a.mtimeMs - b.mtimeMs || compareTexts(a.path, b.path));
}

function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Compares real paths, because links may form a cycle. */
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
    // The entry was deleted since it was listed, or is not readable.
  }
}

/**
 * The format of a named file: by its path, else by its beginning, because some agents let people name a database
 * freely. For single files; a search through a folder uses `findFormat`, which opens no file.
 */
export function findFileFormat(history: AgentHistory, path: string): SessionFormat | undefined {
  const known = findFormat(history, path);
  const databases = known === undefined ? history.formats.filter(({ kind }) => kind === 'database') : [];
  if (databases.length === 0) return known;
  const head = readHead(path);
  return databases.find((format) => format.isOurs(head));
}

/** The format of a session file by its path. */
export function findFormat(history: AgentHistory, path: string): SessionFormat | undefined {
  const plain = path.replaceAll('\\', '/');
  return history.formats.find((format) => format.file.test(plain));
}

const FOLDER_HEAD_BYTES = 64 * 1024;
const FOLDER_FIELD = /"(?:cwd|directory)"\s*:\s*("(?:[^"\\]|\\.)*")/;

/**
 * The folder that a session began in, from the first row of its transcript that names one. In a row the name is a key;
 * inside a text its quotes would be escaped. Undefined if there is no such file or row.
 */
export function findFirstFolder(path: string, sessionId: string): string | undefined {
  return [...listSessionsById(path, sessionId), path].map(readFirstFolder).find((folder) => folder !== undefined);
}

function readFirstFolder(path: string): string | undefined {
  const folder = FOLDER_FIELD.exec(readHead(path, FOLDER_HEAD_BYTES))?.[1];
  return folder === undefined ? undefined : (parseJson(folder) as string | undefined);
}

/** A sub-agent's file is in a folder named after its session, whose transcript is beside that folder. */
function listSessionsById(path: string, sessionId: string): readonly string[] {
  const at = sessionId === '' ? -1 : path.replaceAll('\\', '/').lastIndexOf(`/${sessionId}/`);
  return at < 0 ? [] : [`${path.slice(0, at + 1 + sessionId.length)}${extname(path)}`];
}

const DEFAULT_HEAD_BYTES = 4096;

/** The beginning of a file as text, which shows its format. Empty if the file cannot be read. */
export function readHead(path: string, bytes = DEFAULT_HEAD_BYTES): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const head = Buffer.alloc(bytes);
    return head.toString('utf8', 0, readSync(file, head));
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
