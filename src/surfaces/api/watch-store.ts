/** Notices changes of the data, for the live feed. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadStamp } from './store-stamp.ts';

/**
 * Gives a stamp at its start and at each change, and undefined now and then in between, until the signal ends it. The
 * first stamp says from when on no change is missed: whatever a listener read before, it must read again.
 */
export type Watch = (signal: AbortSignal) => AsyncIterable<string | undefined>;

const LOOK_MS = 1000;
const SIGN_OF_LIFE_LOOKS = 15;

export function makeWatch(readStamp: ReadStamp): Watch {
  return async function* watch(signal) {
    let last = await readStamp();
    yield last;
    for (let looks = 1; !signal.aborted; looks++) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const stamp = await readStamp();
      if (stamp !== last) yield stamp;
      else if (looks % SIGN_OF_LIFE_LOOKS === 0) yield undefined;
      last = stamp;
    }
  };
}
