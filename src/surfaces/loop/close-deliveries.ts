/** Measure: sessions that died tell no end. What was delivered in one that nobody has heard of for a day is incomplete. */
import type { Store } from '../../base/store.ts';

const SILENT_MS = 24 * 60 * 60_000;

export async function closeDeliveries(store: Store, nowMs: number): Promise<number> {
  return store.closeDeliveries(new Date(nowMs - SILENT_MS).toISOString(), new Date(nowMs).toISOString());
}
