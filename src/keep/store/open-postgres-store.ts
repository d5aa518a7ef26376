/** The store of a team: a PostgreSQL database that several machines write to. */
import type { Store } from '../../base/store.ts';
import { makeStore } from './make-store.ts';
import { migrateUp } from './migrate-store.ts';
import { openPostgresEngine } from './open-postgres-engine.ts';

export async function openPostgresStore(url: string): Promise<Store> {
  const engine = await openPostgresEngine(url);
  await migrateUp(engine);
  return makeStore(engine);
}
