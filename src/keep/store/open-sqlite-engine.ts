/** Opens the SQLite file, readable by its owner only, without touching its tables. */
import { closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { toReason, UserError } from '../../base/errors.ts';
import { backUpSqlite } from './backup-sqlite.ts';
import type { DatabaseSchema } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { IN_MEMORY } from './in-memory.ts';
import { makeNodeSqliteDialect } from './node-sqlite-dialect.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { scrubSqlite } from './scrub-sqlite.ts';
import { toSqliteAdvice } from './sqlite-advice.ts';
import { upsertSqliteRows } from './upsert-rows.ts';

export async function openSqliteEngine(file: string): Promise<Engine> {
  const name = `store ${file}`;
  try {
    if (file !== IN_MEMORY) makePrivateFile(file);
    const database = await openDatabase(file);
    const db = new Kysely<DatabaseSchema>({ dialect: makeNodeSqliteDialect(database) });
    // A transaction is the only writer from its begin on: there is nobody to lock out.
    return {
      db,
      name,
      advise: (cause) => toSqliteAdvice(file, cause),
      lock: async () => {},
      toList: (texts) => sql`(select value from json_each(${JSON.stringify(texts)}))`,
      toTable: (lists) => sql`json_each(${JSON.stringify(lists)})`,
      upsert: upsertSqliteRows,
      backUp: (migration) => backUpSqlite(db, file, migration),
      scrub: () => scrubSqlite(db),
    };
  } catch (cause) {
    const next = toSqliteAdvice(file, cause);
    throw new UserError({ subject: name, reason: `cannot be opened: ${toReason(cause)}`, next, cause });
  }
}

/** SQLite gives its -wal and -shm files the mode of the database, so it must be right before SQLite comes. */
function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(file, 'a', 0o600);
  fchmodSync(handle, 0o600);
  closeSync(handle);
}

async function openDatabase(file: string): Promise<DatabaseSync> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  try {
    // With WAL, NORMAL loses nothing when a process dies; a power cut may cost the last moments, never the file.
    await retryWhileBusy(() => database.exec('pragma journal_mode = wal; pragma synchronous = normal'));
    // Room for the indexes of a large store: with SQLite's own 2 MB a scan reads and writes their pages again and again.
    database.exec('pragma cache_size = -8000; pragma wal_autocheckpoint = 4000');
    // What retention removes is overwritten in the file.
    database.exec('pragma secure_delete = on');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
