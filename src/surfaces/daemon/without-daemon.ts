/** Does something while no daemon is at work: the running one is asked to finish, and none can start meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { toReason, UserError } from '../../base/errors.ts';
import type { DataHome } from '../data-home.ts';
import { ensureDaemon, stopDaemon } from './control-daemon.ts';
import { holdLock, type Lock } from './hold-lock.ts';

const WAIT_MS = 10_000;
const STEP_MS = 50;

export interface WithoutDaemon<T> {
  readonly done: T;
  /** Why the daemon that ran before does not run again. */
  readonly trouble?: string;
}

export async function withoutDaemon<T>(home: DataHome, work: () => Promise<T>): Promise<WithoutDaemon<T>> {
  const { lock, wasRunning } = await takeOver(home);
  try {
    const done = await work();
    lock.release();
    return { done, ...(wasRunning ? await restart(home) : {}) };
  } catch (error) {
    lock.release();
    if (wasRunning) await restart(home);
    throw error;
  }
}

/** A hook may start another one between its end and our lock: then that one is asked too. */
async function takeOver(home: DataHome): Promise<{ lock: Lock; wasRunning: boolean }> {
  let wasRunning = false;
  for (let waited = 0; waited < WAIT_MS; waited += STEP_MS) {
    wasRunning = (await stopDaemon(home)) || wasRunning;
    const lock = holdLock(home.lockFile);
    if (lock !== undefined) return { lock, wasRunning };
    await sleep(STEP_MS);
  }
  throw new UserError({
    subject: home.lockFile,
    reason: 'is held by a daemon that does not answer',
    next: `wait a moment and try again; see ${home.logFile}`,
  });
}

async function restart(home: DataHome): Promise<{ trouble?: string }> {
  try {
    await ensureDaemon(home);
    return {};
  } catch (error) {
    return { trouble: toReason(error) };
  }
}
