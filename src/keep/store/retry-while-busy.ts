/**
 * Waits for another SQLite connection to finish. Not SQLite's own busy_timeout: that blocks the thread, so that a
 * connection of the same thread which holds the lock could never release it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 5_000;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

export async function retryWhileBusy<T>(attempt: () => T): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
    // Uneven pauses, so that two waiters do not stay in step.
    await sleep(1 + Math.random() * 20);
  }
}

function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code !== 'number') return false;
  // The low byte is the primary code; SQLITE_BUSY has several extended ones.
  return (code & 0xff) === SQLITE_BUSY || (code & 0xff) === SQLITE_LOCKED;
}
