/**
 * Restores a PostgreSQL store: replaces all rows in one transaction. Rows of an older version go into tables of that
 * version, which the same transaction creates and migrates again, because the server rolls tables back like rows.
 */
import { type Kysely, sql } from 'kysely';
import { MIGRATIONS } from '../../migrations/migrations.ts';
import type { StoreTransaction } from '../database-schema.ts';
import { BACKUP_TABLES } from '../maintenance/snapshot.ts';
import { migrateUp } from './migrate-store.ts';
import { openPostgresEngine } from './postgres.ts';
import { insertParts, type RestoreHow, type RestoreSource } from './restore-source.ts';

/** How long to wait for others who use these tables. */
const LOCK_TIMEOUT = '10s';

export async function restorePostgres(url: string, source: RestoreSource, how: RestoreHow): Promise<void> {
  const engine = await openPostgresEngine(url);
  await migrateUp(engine);
  try {
    await engine.db.transaction().execute((trx) => replace(trx, source, how));
    // The rows are restored; only space is left to reclaim.
    await engine.scrub().catch(() => {});
  } finally {
    await engine.db.destroy();
  }
}

async function replace(trx: StoreTransaction, source: RestoreSource, how: RestoreHow): Promise<void> {
  const [, after] = splitMigrations(source.migration);
  await lockTables(trx, after.length === 0 ? 'exclusive' : 'access exclusive');
  if (after.length === 0) await empty(trx);
  else await remake(trx, source.migration);
  await insertParts(trx, source, how);
  for (const name of after) await MIGRATIONS[name]?.up(toAny(trx));
}

/** Other machines that use the store wait, because their writes would mix with the restored rows. */
async function lockTables(trx: StoreTransaction, mode: 'exclusive' | 'access exclusive'): Promise<void> {
  await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(trx);
  const tables = sql.join(BACKUP_TABLES.map(([table]) => sql.table(table)));
  await sql`lock table ${tables} in ${sql.raw(mode)} mode`.execute(trx);
}

/** Tables are not dropped, so that the permissions that the server's owner set stay. */
async function empty(trx: StoreTransaction): Promise<void> {
  for (const [table] of BACKUP_TABLES.toReversed()) await trx.deleteFrom(table).execute();
}

/** The list of migrations stays as it is, because all of them have run again at the end of the transaction. */
async function remake(trx: StoreTransaction, last: string): Promise<void> {
  const [before, after] = splitMigrations(last);
  for (const name of [...before, ...after].toReversed()) await MIGRATIONS[name]?.down?.(toAny(trx));
  for (const name of before) await MIGRATIONS[name]?.up(toAny(trx));
}

/** The migrations to run before the rows are inserted, and those after. */
function splitMigrations(last: string): readonly [before: readonly string[], after: readonly string[]] {
  const names = Object.keys(MIGRATIONS);
  const at = names.indexOf(last) + 1;
  return [names.slice(0, at), names.slice(at)];
}

/** Migrations do not know the types of tables. */
function toAny(trx: StoreTransaction): Kysely<unknown> {
  return trx as unknown as Kysely<unknown>;
}
