/** The default store: one SQLite file on this machine. */
import type { Store } from '../../base/store.ts';
import { makeStore } from './make-store.ts';
import { migrateUp } from './migrate-store.ts';
import { openSqliteEngine } from './open-sqlite-engine.ts';

export async function openSqliteStore(file: string): Promise<Store> {
  const engine = await openSqliteEngine(file);
  await migrateUp(engine);
  return makeStore(engine);
}
