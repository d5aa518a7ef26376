/**
 * Lets one installation at a time work from a data directory. The lock is SQLite's on an empty file: the system
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
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Also one that was there: the settings whose originals lie in it may hold secrets.
    chmodSync(folder, 0o700);
    const file = join(folder, 'install.lock');
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file, { timeout: WAIT_MS });
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (thrown) {
    database?.close();
    throw new UserError({
      subject: folder,
      reason: `cannot be locked for the installation (${toReason(thrown)})`,
      next: 'Wait until no other installation runs, check that the folder is writable, then run the command again.',
      cause: thrown,
    });
  }
}
