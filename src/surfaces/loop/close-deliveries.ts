/**
 * Measure: sessions that died send no end. What was delivered in a session that was silent for a day is closed: a procedure
 * by what was done of it, everything else as incomplete.
 */
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { measureSilent } from './measure-calls.ts';

const SILENT_MS = 24 * 60 * 60_000;

/** True when a verdict was given. */
export async function closeDeliveries(store: Store, settings: Settings, nowMs: number): Promise<boolean> {
  const silentBefore = new Date(nowMs - SILENT_MS).toISOString();
  const at = new Date(nowMs).toISOString();
  const changed = await measureSilent({ store, settings, now: () => nowMs }, silentBefore, at);
  await store.closeDeliveries(silentBefore, at);
  return changed;
}
