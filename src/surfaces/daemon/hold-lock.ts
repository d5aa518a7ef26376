/**
 * One daemon per data directory and host. The lock is an exclusive transaction on an empty SQLite file: the operating
 * system holds it for this process and gives it back when the process ends, however it ends. A pid file can do neither.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  release(): void;
}

/** Undefined when another process holds it. */
export function holdLock(file: string): Lock | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file);
  chmodSync(file, 0o600);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch {
    database.close();
    return undefined;
  }
  return {
    release() {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}
