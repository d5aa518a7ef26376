/** Keeps answers of the API as long as nothing has changed, because counting a large history takes its time. */

import { dropOldest } from '../../base/bounded-memory.ts';
import type { RunCommand } from './run-command.ts';
import type { ReadStamp } from './store-stamp.ts';

/** How long an answer is kept: `7d` means another time after a while. */
const KEPT_MS = 60_000;
const MAX_KEPT = 200;

/** Gives an answer again as long as nothing has changed. */
export function makeKeptRun(run: RunCommand, readStamp: ReadStamp): RunCommand {
  const kept = new Map<string, { readonly stamp: string; readonly atMs: number; readonly answer: Promise<unknown> }>();
  return async (name, words) => {
    const [key, stamp, nowMs] = [JSON.stringify([name, words]), await readStamp(), performance.now()];
    const known = kept.get(key);
    if (known !== undefined && known.stamp === stamp && nowMs - known.atMs < KEPT_MS) return known.answer;
    const answer = run(name, words);
    kept.delete(key);
    kept.set(key, { stamp, atMs: nowMs, answer });
    dropOldest(kept, MAX_KEPT);
    answer.catch(() => kept.delete(key));
    return answer;
  };
}
