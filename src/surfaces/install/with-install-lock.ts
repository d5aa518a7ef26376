/**
 * Lets one command at a time change what a folder stands for: an installation, the settings, the switches. The lock is SQLite's on an empty file: the system
 * releases it when its holder dies, so there is no stale lock to judge, which is what lock files get wrong.
 */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toReason, UserError } from '../../base/errors.ts';

const WAIT_MS = 10_000;

export function withInstallLock<T>(folder: string, run: () => T): T {
  const database = lock(folder);
  try {
    return run();
  } finally {
    database.close();
  }
}

function lock(folder: string): DatabaseSync {
  const file = makeLockFile(folder);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: WAIT_MS });
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (thrown) {
    database?.close();
    throw new UserError({
      subject: folder,
      reason: `another command is changing it (${toReason(thrown)}); nothing was changed`,
      next: 'wait until that command has ended, then run the command again',
      cause: thrown,
    });
  }
}

function makeLockFile(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Also one that was there: the settings whose originals lie in it may hold secrets.
    chmodSync(folder, 0o700);
    const file = join(folder, 'install.lock');
    closeSync(openSync(file, 'a', 0o600));
    return file;
  } catch (thrown) {
    throw new UserError({
      subject: folder,
      reason: `cannot be written (${toReason(thrown)}); nothing was changed`,
      next: 'check the owner and the permissions of the data directory, or name another one with --home',
      cause: thrown,
    });
  }
}
