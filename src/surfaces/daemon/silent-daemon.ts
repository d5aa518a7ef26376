/**
 * A daemon that runs but does not answer, because it hangs or was suspended: says which process it is, and ends it. A
 * process is ended only if it surely is the daemon, because the number of a dead one may belong to another program by now.
 */

import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../base/errors.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import { readRegistration } from './ask-daemon.ts';

/** Something about the daemon that is wrong for every agent. */
export class DaemonError extends UserError {}

export interface SilentDaemon {
  readonly pid: number;
  /** It registered as the daemon, and holds the daemon's lock. */
  readonly isSure: boolean;
}

/** To be asked after something at the door did not answer. Undefined: that was no daemon. */
export function findSilent(home: DataHome): SilentDaemon | undefined {
  const registered = readRegistration(home.registrationFile)?.pid;
  const holders = findHolders(home.lockFile);
  if (holders === undefined)
    return registered !== undefined && isAlive(registered) ? { pid: registered, isSure: false } : undefined;
  if (registered !== undefined && holders.includes(registered)) return { pid: registered, isSure: true };
  const [pid] = holders;
  return pid === undefined ? undefined : { pid, isSure: false };
}

/** What every command but `daemon stop` says of it. */
export function toSilentError({ pid }: SilentDaemon, next: string): DaemonError {
  return new DaemonError({ subject: 'the daemon', reason: `process ${pid} does not answer`, next });
}

/** How long a process may take to end in order. */
const ORDER_MS = 2_000;
const END_MS = 10_000;
const STEP_MS = 50;

/** Nothing is lost: what the daemon took is in its journal. */
export async function endSilent(home: DataHome, silent: SilentDaemon): Promise<void> {
  const { pid, isSure } = silent;
  const isHeld = () => findHolders(home.lockFile)?.includes(pid) === true;
  const isGoneAfter = async (signal: NodeJS.Signals, patienceMs: number): Promise<boolean> => {
    // Once the lock is free, the number may belong to another program.
    if (isHeld()) send(pid, signal);
    for (const endMs = performance.now() + patienceMs; isHeld(); await sleep(STEP_MS))
      if (performance.now() > endMs) return false;
    return true;
  };
  if (isSure && ((await isGoneAfter('SIGTERM', ORDER_MS)) || (await isGoneAfter('SIGKILL', END_MS)))) return;
  throw toSilentError(silent, `if it is a process of Oncebitten, end it: kill -9 ${pid}; then run the command again`);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

/** The processes that hold locks of a file. Undefined where the system does not tell. */
function findHolders(file: string): readonly number[] | undefined {
  try {
    const { ino } = statSync(file);
    // `1: POSIX  ADVISORY  WRITE <process> <major>:<minor>:<inode> <from> <to>`
    return readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , , , place = '']) => place.split(':')[2] === String(ino))
      .map(([, , , , pid]) => Number(pid));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
