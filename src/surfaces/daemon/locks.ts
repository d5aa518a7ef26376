/**
 * Locks that allow one daemon per data directory and host, and one host as owner of a store that several hosts share.
 * The host lock is an exclusive transaction on an empty SQLite file, because the operating system holds it for this
 * process and releases it however the process ends; a pid file can do neither. Between hosts, a file names the owner,
 * who touches it every few seconds.
 */

import { randomUUID } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeOwnFile } from '../../loop/home/write-file.ts';

/** Retries, because two processes that start together can block each other: each holds half of the lock. */
const ATTEMPTS = 5;
const PAUSE_MS = 40;

export interface Lock {
  /** False if the lock file is gone or was replaced; then another daemon may lock the new file. */
  isHeld(): boolean;
  release(): void;
}

/** Undefined if another process holds the lock. */
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

  /** An error of the file system does not count as a lost lock. */
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
    // Random pauses keep two processes from staying in step. No work waits for this thread yet.
    if (attempt > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * (0.5 + Math.random()));
    try {
      database.exec('BEGIN EXCLUSIVE');
      return true;
    } catch {
      // The lock is held by a running daemon, or by another process that is trying, too.
    }
  }
  return false;
}

interface Ownership {
  /** Asked before every write that only the owner may make. */
  isMine(): boolean;
  /** The owning host, if it is another one. */
  findOwner(): string | undefined;
  /** To be called every `beatMs`. */
  beat(): void;
  readonly beatMs: number;
  release(): void;
}

interface OwnershipParts {
  readonly file: string;
  readonly host: string;
  readonly daemonId: string;
  /** How long an owner may be silent. */
  readonly patienceMs: number;
  readonly onGain: () => void;
  readonly onLose: () => void;
}

/**
 * Decides which host's daemon uses a store that several hosts share. Other hosts watch the owner's file with their own
 * clock, because clocks differ. If it is unchanged for two minutes, the owner counts as dead: a host writes its own name,
 * waits until a living owner would have noticed, and checks the name again.
 */
export function holdOwnership(parts: OwnershipParts): Ownership {
  const { file, host, daemonId, patienceMs } = parts;
  const text = `${JSON.stringify({ host, daemonId })}\n`;
  let state: 'watching' | 'claiming' | 'mine' = 'watching';
  let owner: Owner | undefined;
  /** When the file last changed, and when it was last checked; the second uses the clock that runs during sleep. */
  let changedMs = performance.now();
  let lookedMs = Date.now();

  const become = (next: typeof state): void => {
    const before = state;
    state = next;
    changedMs = performance.now();
    if (next === 'mine' && before !== 'mine') parts.onGain();
    if (next !== 'mine' && before === 'mine') parts.onLose();
  };
  const claim = (): void => {
    writeOwnFile(file, text);
    // Only one daemon runs per host, so a file with this host's name belongs to a dead daemon.
    become(owner?.host === host ? 'mine' : 'claiming');
  };
  /** Takes the store if there is no owner file, even if the file was only deleted. */
  const takeFree = (): void => {
    if (createOwnerFile(file, text)) become('mine');
  };
  const stay = (): void => {
    touchOwnerFile(file);
    const isEarly = state === 'claiming' && performance.now() - changedMs < patienceMs / 4;
    if (!isEarly) become('mine');
  };
  const watch = (found: Owner): void => {
    if (state !== 'watching') become('watching');
    if (found.stamp !== owner?.stamp) changedMs = performance.now();
    owner = found;
    if (found.host === host || performance.now() - changedMs >= patienceMs) claim();
  };
  const beat = (): void => {
    lookedMs = Date.now();
    const found = findOwner(file);
    if (found === undefined) takeFree();
    else if (found.daemonId === daemonId) stay();
    else watch(found);
  };
  const attempt = (): void => {
    try {
      beat();
    } catch {
      // The file cannot be written now, so the state stays as it is.
    }
  };
  attempt();
  return {
    isMine() {
      // After a long sleep another host may be the owner, so check before anything is written.
      if (state === 'mine' && Math.abs(Date.now() - lookedMs) > patienceMs / 2) attempt();
      return state === 'mine';
    },
    findOwner: () => (state === 'mine' ? undefined : owner?.host),
    beat: attempt,
    beatMs: patienceMs / 12,
    release() {
      if (state === 'mine' && findOwner(file)?.daemonId === daemonId) rmSync(file, { force: true });
    },
  };
}

/** The content of the owner file. */
interface Owner {
  readonly host: string;
  readonly daemonId: string;
  /** Changes with every touch of the owner. */
  readonly stamp: string;
}

/** The named owner; a file without a name also has one. Throws if the file exists but cannot be read. */
function findOwner(file: string): Owner | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return { ...parseOwner(text), stamp: `${text} ${statSync(file).mtimeMs}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file exclusively, with its content. Returns false if another host was faster. */
function createOwnerFile(file: string, text: string): boolean {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    link(draft, file, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Touches the file, which needs no disk space. */
function touchOwnerFile(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

function link(draft: string, file: string, text: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Some file systems have no links.
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  }
}

function parseOwner(text: string): Omit<Owner, 'stamp'> {
  try {
    const { host, daemonId } = JSON.parse(text) as Record<string, unknown>;
    return { host: String(host), daemonId: String(daemonId) };
  } catch {
    return { host: '', daemonId: '' };
  }
}
