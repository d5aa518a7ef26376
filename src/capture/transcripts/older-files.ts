/**
 * Lists the rows of the older session files in a folder. An agent that forks a session begins a new file with copies of
 * old rows; a copy counts only if no older file has the row, for example because the agent has removed that file.
 */

import { closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { CopiedRows } from '../../base/contracts/agent-history.ts';
import { readChunks } from './read-lines.ts';
import { readHead } from './session-files.ts';

/** Where the first row of a file has its time. */
const HEAD_BYTES = 64 * 1024;
/** An id is never longer, so that one that two chunks share is found. */
const CARRY_CHARS = 256;

/**
 * The ids of the rows in files of the same folder and kind that began before `bornAt` and were written to after `since`.
 * Files that cannot be read have no rows.
 */
export function listOlderIds(path: string, rows: CopiedRows, bornAt: string, since: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const other of listOthers(path)) {
    if (isWrittenSince(other, since) && isOlder(other, rows, bornAt)) addIds(other, rows, ids);
  }
  return ids;
}

function listOthers(path: string): readonly string[] {
  try {
    const names = readdirSync(dirname(path)).filter((name) => extname(name) === extname(path));
    return names.map((name) => join(dirname(path), name)).filter((other) => other !== path);
  } catch {
    return [];
  }
}

function isWrittenSince(path: string, since: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && !(stat.mtimeMs < Date.parse(since));
}

function isOlder(path: string, { time }: CopiedRows, bornAt: string): boolean {
  const began = time.exec(readHead(path, HEAD_BYTES))?.[1];
  return began !== undefined && began < bornAt;
}

function addIds(path: string, { id }: CopiedRows, ids: Set<string>): void {
  const all = new RegExp(id, 'g');
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    let carry = '';
    for (const chunk of readChunks(fd, 0, Number.POSITIVE_INFINITY)) {
      const text = carry + chunk.toString('latin1');
      for (const [, found = ''] of text.matchAll(all)) ids.add(found);
      carry = text.slice(-CARRY_CHARS);
    }
  } catch {
    // The agent removed it meanwhile; what was read stays.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
