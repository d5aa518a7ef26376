/**
 * Reads all rows of the store as of one moment, in parts, while others keep writing. The read has its own transaction,
 * because the engine's transactions block all writers on SQLite.
 */

import { PostgresAdapter, sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import type { BackupRow, RowCounts, SnapshotWriter, StoreEngine } from '../../../base/storage/backup.ts';
import { MIGRATIONS } from '../../migrations/migrations.ts';
import type { Database, DatabaseSchema } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { MIGRATION_TABLE } from '../engines/migrate-store.ts';

const ROWS_PER_PART = 200;
const BEGIN: Readonly<Record<StoreEngine, string>> = {
  sqlite: 'begin',
  postgres: 'begin isolation level repeatable read read only',
};

export function makeSnapshotStore({ db }: Engine) {
  return {
    readSnapshot: (writer) => readSnapshot(db, writer),
    async countRows() {
      const counts: Record<string, number> = {};
      for (const [table] of BACKUP_TABLES) {
        const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
        counts[table] = rows[0]?.n ?? 0;
      }
      return counts;
    },
  } satisfies Partial<Store>;
}

/** `isWanted`: accepts the migration of the store; by default only the newest. */
export function readSnapshot(
  db: Database,
  writer: SnapshotWriter,
  isWanted: (migration: string) => boolean = (migration) => migration === Object.keys(MIGRATIONS).at(-1),
): Promise<RowCounts> {
  return db.connection().execute(async (connection) => {
    const engine = connection.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
    await sql.raw(BEGIN[engine]).execute(connection);
    try {
      await writer.begin({ engine, migration: await readMigration(connection, isWanted) });
      return await writeAll(connection, writer);
    } finally {
      // Nothing was written, and a broken connection has already reported its error.
      await sql`rollback`.execute(connection).catch(() => {});
    }
  });
}

/** Opening the store migrated it to this version, but a newer version may have changed it since. */
async function readMigration(db: Database, isWanted: (migration: string) => boolean): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db);
  const last = rows
    .map(({ name }) => name)
    .toSorted()
    .at(-1);
  if (last !== undefined && isWanted(last)) return last;
  throw new Error(`its tables are of another version now (${last ?? 'none'})`);
}

async function writeAll(db: Database, writer: SnapshotWriter): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  // A store of an earlier version lacks some tables.
  const present = new Set((await db.introspection.getTables()).map(({ name }) => name));
  for (const [table, key] of BACKUP_TABLES.filter(([name]) => present.has(name))) {
    counts[table] = 0;
    let last: BackupRow | undefined;
    do {
      const rows: readonly BackupRow[] = await readPart(db, table, key, last);
      counts[table] += rows.length;
      if (rows.length > 0) await writer.writeRows({ table, rows });
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

type Tables = { readonly [T in keyof DatabaseSchema]: readonly (keyof DatabaseSchema[T] & string)[] };

const KEYS: Tables = {
  projects: ['id'],
  project_aliases: ['from_id'],
  project_links: ['from_id', 'into_id'],
  project_commits: ['project_id', 'commit_hash'],
  sessions: ['id'],
  signatures: ['id'],
  tool_outcomes: ['id'],
  episodes: ['id'],
  findings: ['id'],
  cures: ['agent', 'session_id', 'failing_call_id'],
  remembered_calls: ['agent', 'session_id', 'call_id'],
  learn_packs: ['pack', 'prompt_version'],
  self_reports: ['agent', 'session_id', 'report_id'],
  lessons: ['id'],
  lesson_history: ['id'],
  promotions: ['id'],
  deliveries: ['id'],
  feedback: ['id'],
  added_texts: ['agent', 'session_id', 'context_id', 'call_id', 'kind', 'added_at'],
  missed_opportunities: ['agent', 'session_id', 'call_id', 'lesson_id'],
  scan_state: ['path'],
  forgotten: ['kind', 'id'],
};

/**
 * Every table of ours with its key columns, by which it is read in parts. In insertion order: referenced tables come
 * first. A table that is missing here does not compile.
 */
export const BACKUP_TABLES: readonly (readonly [table: keyof DatabaseSchema, key: readonly string[]])[] =
  Object.entries(KEYS) as [keyof DatabaseSchema, readonly string[]][];
