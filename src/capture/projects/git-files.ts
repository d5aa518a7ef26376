/**
 * Reads the files of a repository without running git: its worktrees, including those that were deleted without git,
 * and whether it contains a commit. A git command could fetch missing objects and run what the repository's settings
 * say.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFile } from './identify-project.ts';

/** The folders of the worktrees that a repository has recorded. */
export function listWorktrees(commonDir: string): readonly string[] {
  return listNames(join(commonDir, 'worktrees')).flatMap((name) => {
    const dotGit = findFile(join(commonDir, 'worktrees', name, 'gitdir'))?.trim();
    return dotGit === undefined || dotGit === '' ? [] : [dirname(dotGit)];
  });
}

/** `commit`: a full hash, or at least seven digits of it. */
export function hasCommit(commonDir: string, commit: string): boolean {
  const objects = join(commonDir, 'objects');
  const loose = listNames(join(objects, commit.slice(0, 2)));
  if (loose.some((name) => name.startsWith(commit.slice(2)))) return true;
  const packs = listNames(join(objects, 'pack')).filter((name) => name.endsWith('.idx'));
  return packs.some((name) => isInPack(join(objects, 'pack', name), commit));
}

const MAGIC = 0xff744f63;
const HEADER_BYTES = 8;
const FANOUT_BYTES = 256 * 4;
const HASH_BYTES = 20;

/** An index of version 2: a header, the cumulative count of hashes for each first byte, then all hashes in order. */
function isInPack(file: string, commit: string): boolean {
  const wanted = commit.slice(0, HASH_BYTES * 2);
  return withFile(file, (read) => {
    const head = read(0, HEADER_BYTES + FANOUT_BYTES);
    if (head.length < HEADER_BYTES + FANOUT_BYTES || head.readUInt32BE(0) !== MAGIC || head.readUInt32BE(4) !== 2)
      return false;
    const first = Number.parseInt(wanted.slice(0, 2), 16);
    let low = first === 0 ? 0 : head.readUInt32BE(HEADER_BYTES + (first - 1) * 4);
    const end = head.readUInt32BE(HEADER_BYTES + first * 4);
    let high = end;
    const readHash = (n: number): string =>
      read(HEADER_BYTES + FANOUT_BYTES + n * HASH_BYTES, HASH_BYTES).toString('hex');
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (readHash(middle) < wanted) low = middle + 1;
      else high = middle;
    }
    return low < end && readHash(low).startsWith(wanted);
  });
}

function withFile(path: string, use: (read: (at: number, bytes: number) => Buffer) => boolean): boolean {
  let fd: number | undefined;
  try {
    const open = openSync(path, 'r');
    fd = open;
    return use((at, bytes) => {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(open, buffer, 0, bytes, at));
    });
  } catch {
    return false;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
