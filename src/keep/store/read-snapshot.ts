/**
 * All rows as they are at one moment, read in parts while others go on writing. Not a transaction of the engine: on
 * SQLite those keep every writer out.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { BackupRow, RowCounts, SnapshotTeller, StoreEngine } from '../../base/backup.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';
import { BACKUP_TABLES } from './backup-tables.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { MIGRATION_TABLE } from './migrate-store.ts';

type Database = Kysely<DatabaseSchema>;

const ROWS_PER_PART = 200;
const BEGIN: Readonly<Record<StoreEngine, string>> = {
  sqlite: 'begin',
  postgres: 'begin isolation level repeatable read read only',
};

/** `isWanted`: whether it may be of this version; without it, of the newest one only. */
export function readSnapshot(
  db: Database,
  teller: SnapshotTeller,
  isWanted: (migration: string) => boolean = (migration) => migration === Object.keys(MIGRATIONS).at(-1),
): Promise<RowCounts> {
  return db.connection().execute(async (connection) => {
    const engine = connection.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
    await sql.raw(BEGIN[engine]).execute(connection);
    try {
      await teller.begin({ engine, migration: await readMigration(connection, isWanted) });
      return await tellAll(connection, teller);
    } finally {
      // Nothing was written. A connection that broke has said so already.
      await sql`rollback`.execute(connection).catch(() => {});
    }
  });
}

export async function countRows(db: Database): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const [table] of BACKUP_TABLES) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    counts[table] = Number(rows[0]?.n ?? 0);
  }
  return counts;
}

/** Whoever opened the store brought it up to this version; somebody newer may have changed it since. */
async function readMigration(db: Database, isWanted: (migration: string) => boolean): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db);
  const last = rows
    .map(({ name }) => name)
    .toSorted()
    .at(-1);
  if (last !== undefined && isWanted(last)) return last;
  throw new Error(`its tables are of another version now (${last ?? 'none'})`);
}

async function tellAll(db: Database, teller: SnapshotTeller): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  // A store of an earlier version lacks some of them.
  const present = new Set((await db.introspection.getTables()).map(({ name }) => name));
  for (const [table, key] of BACKUP_TABLES.filter(([name]) => present.has(name))) {
    counts[table] = 0;
    let last: BackupRow | undefined;
    do {
      const rows: readonly BackupRow[] = await readPart(db, table, key, last);
      counts[table] += rows.length;
      if (rows.length > 0) await teller.tell({ table, rows });
      last = rows.length < ROWS_PER_PART ? undefined : rows.at(-1);
    } while (last !== undefined);
  }
  return counts;
}

async function readPart(db: Database, table: string, key: readonly string[], last: BackupRow | undefined) {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const after = last === undefined ? sql`` : sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  const page = sql<BackupRow>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${ROWS_PER_PART}`;
  return (await page.execute(db)).rows;
}
