/** Runs retention from its first step to its last, and makes rows that were stored when their calls were made. */
import assert from 'node:assert/strict';
import type { Store } from '../../../src/base/contracts/store.ts';
import {
  addCounts,
  NOTHING_REMOVED,
  type RetentionCounts,
  type RetentionLimits,
  type RetentionPoint,
} from '../../../src/base/storage/retention.ts';
import { at } from './make-samples.ts';
import type { TestStore } from './test-store.ts';

export function makeLimits(limits: Partial<RetentionLimits>): RetentionLimits {
  const now = at(100_000);
  return { now, textBefore: at(0), textDays: 30, perProject: 1000, settledBefore: now, factsBefore: at(0), ...limits };
}

export async function retainAll(store: Store, limits: RetentionLimits): Promise<RetentionCounts> {
  let counts = NOTHING_REMOVED;
  let from: RetentionPoint | undefined;
  for (let steps = 0; steps === 0 || from !== undefined; steps++) {
    assert.ok(steps < 1000, 'it comes to an end');
    const { next, ...removed } = await store.retain(limits, from);
    counts = addCounts(counts, removed);
    from = next;
  }
  return counts;
}

/** As if a hook had reported each call and session at the time. */
export async function storeThen({ query }: Pick<TestStore, 'query'>): Promise<void> {
  await query('update tool_outcomes set created_at = occurred_at');
  await query('update sessions set created_at = last_seen_at');
}
