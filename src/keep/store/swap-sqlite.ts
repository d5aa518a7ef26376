/**
 * Moves a database file into the place of another. SQLite finds a file's log by its name: a log of the old file beside
 * the new one would be written into it. So the old one first gives up its log, which it can do only when nobody else
 * has it open, and is locked until the new one is in its place. Whoever opened the old one meanwhile can write no more:
 * without a log SQLite looks whether the file is still where it was.
 */
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toReason, UserError } from '../../base/errors.ts';
import { retryWhileBusy } from './retry-while-busy.ts';

const ATTEMPTS = 5;

/** `aside`: the old file is damaged and kept there. */
export async function swapSqlite(draft: string, file: string, aside?: string): Promise<void> {
  if (aside !== undefined) setAside(file, aside);
  const old = aside === undefined && existsSync(file) ? await lockWhole(file) : undefined;
  try {
    renameSync(draft, file);
    flushFolder(dirname(file));
  } finally {
    old?.close();
  }
}

/** Open, without a log, and nobody else's until it is closed. */
async function lockWhole(file: string): Promise<DatabaseSync> {
  const old = new DatabaseSync(file);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await retryWhileBusy(() => old.exec('pragma journal_mode = delete'));
      await retryWhileBusy(() => old.exec('begin exclusive'));
      // Somebody may have come in between and brought the log back.
      if (old.prepare('pragma journal_mode').get()?.journal_mode === 'delete') return old;
      old.exec('rollback');
    }
    throw new Error('another process uses it again and again');
  } catch (cause) {
    old.close();
    throw new UserError({
      subject: `store ${file}`,
      reason: `cannot be had alone (${toReason(cause)})`,
      next: 'Wait until other commands of Oncebitten have ended, then run it again; the store is as it was.',
      cause,
    });
  }
}

/** The damaged file has its name until the new one takes it. Its log goes first: it must not meet the new file. */
function setAside(file: string, aside: string): void {
  mkdirSync(dirname(aside), { recursive: true, mode: 0o700 });
  for (const end of ['-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, aside + end);
  if (!existsSync(file)) return;
  try {
    linkSync(file, aside);
  } catch {
    // A file system without links.
    renameSync(file, aside);
  }
}

function flushFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Some systems cannot flush a folder; the rename has happened all the same.
  }
}
