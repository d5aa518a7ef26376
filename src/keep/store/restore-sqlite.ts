/**
 * Builds the whole store anew in a file beside the present one, checks it, and moves it into its place. Killed at any
 * moment there is the old file or the new one; a draft that is left behind is removed by whoever comes next.
 */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { sql } from 'kysely';
import { toReason } from '../../base/errors.ts';
import type { Engine } from './engine.ts';
import { insertRows } from './insert-rows.ts';
import { makeMigrator } from './migrate-store.ts';
import { openSqliteEngine } from './open-sqlite-engine.ts';
import { removeRestoreDrafts, toRestoreDraft } from './remove-restore-drafts.ts';
import type { RestoreHow, RestoreSource } from './restore-source.ts';
import { swapSqlite } from './swap-sqlite.ts';

export async function restoreSqlite(file: string, source: RestoreSource, how: RestoreHow): Promise<void> {
  removeRestoreDrafts(file);
  const draft = toRestoreDraft(file);
  try {
    await build(draft, source, how);
    flush(draft);
    await swapSqlite(draft, file, how.aside);
  } finally {
    removeRestoreDrafts(file);
  }
}

async function build(draft: string, source: RestoreSource, how: RestoreHow): Promise<void> {
  const engine = await openSqliteEngine(draft);
  try {
    await migrate(engine, source.migration);
    let inserted = 0;
    for await (const part of source.parts) {
      await insertRows(engine.db, part, source.columns.get(part.table) ?? []);
      inserted += part.rows.length;
      how.onRows(inserted);
    }
    await migrate(engine);
    await check(engine);
    await sql`pragma wal_checkpoint(truncate)`.execute(engine.db);
  } finally {
    await engine.db.destroy();
  }
  // It would be taken for the log of the file that has this name next.
  if (existsSync(`${draft}-wal`)) throw new Error('its log could not be written back');
}

async function migrate(engine: Engine, last?: string): Promise<void> {
  const migrator = makeMigrator(engine);
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error !== undefined) throw new Error(`its tables cannot be made: ${toReason(error)}`, { cause: error });
}

async function check({ db }: Engine): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db);
  const damage = rows[0]?.integrity_check;
  if (damage !== 'ok') throw new Error(`what was built is not whole: ${damage}`);
  const strays = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
  const [stray] = strays.rows;
  if (stray !== undefined) throw new Error(`table ${stray.table} refers to rows that are missing`);
}

function flush(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
