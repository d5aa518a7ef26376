/**
 * One daemon per data directory and host. The lock is an exclusive transaction on an empty SQLite file: the operating
 * system holds it for this process and gives it back when the process ends, however it ends. A pid file can do neither.
 */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Two that come in the same moment turn each other away: each has the first half of what the other needs. */
const ATTEMPTS = 5;
const PAUSE_MS = 40;

export interface Lock {
  /** False once the file is gone or another one: whoever comes next locks that, and we are nobody's daemon any more. */
  isHeld(): boolean;
  release(): void;
}

/** Undefined when another process holds it. */
export function holdLock(file: string): Lock | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file);
  chmodSync(file, 0o600);
  if (!lock(database)) {
    database.close();
    return undefined;
  }
  const ours = readIdentity(file);
  return {
    isHeld: () => readIdentity(file) === ours,
    release() {
      database.exec('ROLLBACK');
      database.close();
    },
  };

  /** A file system that does not answer right now is no reason to leave. */
  function readIdentity(path: string): string {
    try {
      const { dev, ino } = statSync(path);
      return `${dev} ${ino}`;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      return ['ENOENT', 'ENOTDIR'].includes(code) ? '' : ours;
    }
  }
}

function lock(database: DatabaseSync): boolean {
  database.exec('PRAGMA busy_timeout = 0');
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Uneven pauses, so that two do not stay in step. Nobody waits for this thread yet.
    if (attempt > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * (0.5 + Math.random()));
    try {
      database.exec('BEGIN EXCLUSIVE');
      return true;
    } catch {
      // Held: by a daemon that stays, or by one that is turned away like us.
    }
  }
  return false;
}
