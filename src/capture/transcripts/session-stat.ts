/**
 * Reads what sessions on disk consist of, whatever their format: the size and times that show whether a session has
 * changed, and JSON documents (a file, the files of a folder, small files beside a session).
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionFormat, TreeFormat } from '../../base/contracts/agent-history.ts';
import { parseJson } from '../../base/records.ts';

export interface SessionStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
}

/** Throws if the file itself cannot be read. */
export function readSessionStat(path: string, format: SessionFormat): SessionStat {
  const { size, mtimeMs, ino } = statSync(path);
  const own = { size, mtimeMs, inode: ino };
  // The last writes are in the log beside a database, which itself may not change for days.
  if (format.kind === 'database') return joinStats(own, [`${path}-wal`]);
  return format.kind === 'tree' ? joinStats(own, listLast(path, format)) : own;
}

/** Only for formats with several files; also undefined if the file is gone. */
export function findSessionStat(path: string, format: SessionFormat): SessionStat | undefined {
  if (format.kind === 'lines' || format.kind === 'document') return undefined;
  try {
    return readSessionStat(path, format);
  } catch {
    return undefined;
  }
}

/**
 * The newest files of a tree: the folder of each level, all files of the last level and, above it, the last file,
 * because names grow with time and an agent appends.
 */
function listLast(path: string, { below }: TreeFormat): readonly string[] {
  const paths: string[] = [];
  let last: string | undefined = path;
  for (const [level, toFolder] of below.entries()) {
    const folder: string | undefined = last === undefined ? undefined : toFolder(findDocument(last).value);
    if (folder === undefined) break;
    const at = join(dirname(path), folder);
    const files = listDocuments(at);
    last = files.at(-1);
    paths.push(at, ...(level === below.length - 1 ? files : files.slice(-1)));
  }
  return paths;
}

function joinStats(own: SessionStat, paths: readonly string[]): SessionStat {
  const stats = [own, ...paths.map((path) => statSync(path, { throwIfNoEntry: false }))].filter(
    (stat) => stat !== undefined,
  );
  return {
    size: stats.reduce((sum, stat) => sum + stat.size, 0),
    mtimeMs: Math.max(...stats.map((stat) => stat.mtimeMs)),
    inode: own.inode,
  };
}

/** A whole document is in memory several times over. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

interface FoundDocument {
  /** Undefined if the file is too large, not JSON, or gone. */
  readonly value: unknown;
  readonly bytes: number;
}

export function findDocument(path: string): FoundDocument {
  try {
    if (statSync(path).size > MAX_DOCUMENT_BYTES) return { value: undefined, bytes: 0 };
    const text = readFileSync(path);
    return { value: parseJson(text.toString('utf8')), bytes: text.length };
  } catch {
    return { value: undefined, bytes: 0 };
  }
}

/** The paths of the JSON files in a folder, sorted by name; empty if the folder does not exist. */
export function listDocuments(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

const MAX_BESIDE_BYTES = 64 * 1024;

/** The small files beside a session that its reader needs. */
export function readSiblingFiles(path: string, names: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = findFileText(join(dirname(path), name));
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function findFileText(path: string): string | undefined {
  try {
    return statSync(path).size > MAX_BESIDE_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
