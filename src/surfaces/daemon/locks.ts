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

interface Ownership {
  /** Asked before every write that only the owner may make. */
  isMine(): boolean;
  /** The other host, when it is not ours. */
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
 * Which host's daemon has the store of a data directory that several hosts share. The lock above is one
 * host's; between hosts a file names the owner, who touches it every few seconds. Others watch it with their own clock
 * (clocks of hosts differ): unchanged for two minutes, the owner is taken for dead. Then one writes its own name, waits
 * until every owner that is alive would have noticed, and looks whether the name still stands.
 */
export function holdOwnership(parts: OwnershipParts): Ownership {
  const { file, host, daemonId, patienceMs } = parts;
  const text = `${JSON.stringify({ host, daemonId })}\n`;
  let state: 'watching' | 'claiming' | 'mine' = 'watching';
  let owner: Owner | undefined;
  /** When the owner last gave a sign of life, and when we last looked; the second by the clock that runs in sleep. */
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
    // Of this host only one daemon runs, and it is us: the name is a dead one's.
    become(owner?.host === host ? 'mine' : 'claiming');
  };
  /** Also when only the file is gone: nobody else has it while we can put it back. */
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
      // The file cannot be written now: who has it keeps it, who has not goes on watching.
    }
  };
  attempt();
  return {
    isMine() {
      // After a long sleep somebody else may be the owner: look before anything is written.
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

/** The file that names the host whose daemon has the store, and the ways in which it is read and written. */
interface Owner {
  readonly host: string;
  readonly daemonId: string;
  /** Changes with every sign of life. */
  readonly stamp: string;
}

/** Who is named; a file that names nobody is somebody's, too. Throws when it is there and cannot be read. */
function findOwner(file: string): Owner | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return { ...parseOwner(text), stamp: `${text} ${statSync(file).mtimeMs}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Exclusively, and never without its content. False when somebody was faster. */
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

/** A sign of life that needs no room on the disk. */
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
