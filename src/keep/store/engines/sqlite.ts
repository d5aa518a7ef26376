/**
 * Opens the default store, one SQLite file that only its owner can read; scrubs deleted data from it, backs it up before a
 * migration, and words the advice for a failing or broken file.
 */

import { closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import { toReason, UserError } from '../../../base/errors.ts';
import { listBackupFiles } from '../../backup/backup-files.ts';
import { writeAutomaticBackup } from '../../backup/write-backup.ts';
import type { Database, DatabaseSchema } from '../database-schema.ts';
import { readSnapshot } from '../maintenance/snapshot.ts';
import { makeStore } from '../make-store.ts';
import { upsertSqliteRows } from '../statements.ts';
import { IN_MEMORY } from '../store-address.ts';
import type { Engine } from './engine.ts';
import { migrateUp } from './migrate-store.ts';
import { isBusy, makeNodeSqliteDialect, retryWhileBusy } from './sqlite-dialect.ts';

export async function openSqliteStore(file: string): Promise<Store> {
  const engine = await openSqliteEngine(file);
  await migrateUp(engine);
  return makeStore(engine);
}

/** Opens the SQLite file, readable by its owner only, without touching its tables. */
export async function openSqliteEngine(file: string): Promise<Engine> {
  const name = `store ${file}`;
  try {
    if (file !== IN_MEMORY) makePrivateFile(file);
    const database = await openDatabase(file);
    const db = new Kysely<DatabaseSchema>({ dialect: makeNodeSqliteDialect(database) });
    // From its begin on, a transaction is the only writer, so there is nothing to lock.
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

/** SQLite gives its -wal and -shm files the mode of the database, so the mode must be right before SQLite opens it. */
function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(file, 'a', 0o600);
  fchmodSync(handle, 0o600);
  closeSync(handle);
}

async function openDatabase(file: string): Promise<DatabaseSync> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  try {
    // With WAL, NORMAL loses nothing when a process dies; a power cut may lose the last moments, never the file.
    await retryWhileBusy(() => database.exec('pragma journal_mode = wal; pragma synchronous = normal'));
    // Room for the indexes of a large store: with SQLite's default of 2 MB, a scan reads and writes their pages
    // repeatedly.
    database.exec('pragma cache_size = -8000; pragma wal_autocheckpoint = 4000');
    // Overwrites deleted data in the file.
    database.exec('pragma secure_delete = on');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const WAIT_MS = 5_000;
const STEP_MS = 20;

/** Rewrites the database file from its current content and empties the write-ahead log, which contains older pages. */
async function scrubSqlite(db: Database): Promise<void> {
  await sql`vacuum`.execute(db);
  for (let waited = 0; ; waited += STEP_MS) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy === 0) return;
    if (waited > WAIT_MS) {
      throw new Error(
        'the rows are gone, but another process still reads the file: its log keeps old pages until then',
      );
    }
    await sleep(STEP_MS);
  }
}

/** The folder as in `data-home.ts`, also for a store that is opened by its file alone. */
export function toBackupsDir(file: string): string {
  return join(dirname(file), 'backups');
}

class MigratedMeanwhile extends Error {}

/** Rejects if there is no room, and then the store must stay as it is. */
async function backUpSqlite(db: Database, file: string, migration: string): Promise<void> {
  const at = new Date().toISOString();
  const request = { backupsDir: toBackupsDir(file), kind: 'before-migration', at, oncebitten: 'an update' } as const;
  const isWanted = (found: string): boolean => {
    // Another process may have migrated the tables since; then its backup is the right one.
    if (found !== migration) throw new MigratedMeanwhile();
    return true;
  };
  try {
    await writeAutomaticBackup(
      { readSnapshot: (teller) => readSnapshot(db, teller, isWanted) },
      { ...request, maxBytes: Number.POSITIVE_INFINITY, onRows: () => {} },
    );
  } catch (error) {
    if (!(error instanceof MigratedMeanwhile)) throw error;
  }
}

const BUSY =
  'Another process holds the store, for example a scan, a backup or another program that opened the file. Try again when it is done.';
const NEXT = 'Check that the file is an SQLite database you can write, and that its disk has space.';
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** What to do if the SQLite file fails: for a broken file, how to restore the last good backup. */
export function toSqliteAdvice(file: string, cause: unknown): string {
  if (isBusy(cause)) return BUSY;
  if (!isBrokenFile(cause)) return NEXT;
  const backup = listBackupFiles({ backupsDir: toBackupsDir(file) }).find(({ kind }) => kind !== 'damaged');
  const restore = backup === undefined ? '' : `oncebitten data restore ${backup.file}. Or: `;
  return [
    'Check that the file is the SQLite database it should be; nothing was overwritten, and new events wait in the spool.',
    `If it is broken: ${restore}oncebitten daemon stop, move the file away to start with an empty store, then oncebitten doctor.`,
  ].join(' ');
}

export function isBrokenFile(cause: unknown): boolean {
  const code = (cause as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff);
}
