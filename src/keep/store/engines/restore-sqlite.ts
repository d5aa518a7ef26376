/**
 * Restores an SQLite store: builds a new file beside the old one, checks it, and moves it into place. A restore that is
 * killed leaves either the old or the new file, and the next restore removes its draft.
 */

import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { toReason, UserError } from '../../../base/errors.ts';
import { flushFolder } from '../../backup/backup-files.ts';
import type { Engine } from './engine.ts';
import { makeMigrator } from './migrate-store.ts';
import {
  insertParts,
  type RestoreHow,
  type RestoreSource,
  removeRestoreDrafts,
  toRestoreDraft,
} from './restore-source.ts';
import { openSqliteEngine } from './sqlite.ts';
import { retryWhileBusy } from './sqlite-dialect.ts';

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
    await insertParts(engine.db, source, how);
    await migrate(engine);
    await check(engine);
    await sql`pragma wal_checkpoint(truncate)`.execute(engine.db);
  } finally {
    await engine.db.destroy();
  }
  // It would be taken for the log of the next file with this name.
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
  if (damage !== 'ok') throw new Error(`the new store is damaged: ${damage}`);
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

const ATTEMPTS = 5;

/**
 * Moves a database file into the place of another. SQLite finds a log by the name of its file and would write the old
 * file's log into the new one. So the old file first gives up its log, which works only if nobody else has it open, and
 * stays locked until the new one is in place. A process that opened the old file in between can no longer write,
 * because without a log SQLite checks whether the file is still in place. `aside`: where to keep the old file if it is
 * damaged.
 */
async function swapSqlite(draft: string, file: string, aside?: string): Promise<void> {
  if (aside !== undefined) setAside(file, aside);
  const old = aside === undefined && existsSync(file) ? await lockDatabase(file) : undefined;
  try {
    renameSync(draft, file);
    flushFolder(dirname(file));
  } finally {
    old?.close();
  }
}

/** Opens the file without a log and locks it until it is closed. */
async function lockDatabase(file: string): Promise<DatabaseSync> {
  const old = new DatabaseSync(file);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await retryWhileBusy(() => old.exec('pragma journal_mode = delete'));
      await retryWhileBusy(() => old.exec('begin exclusive'));
      // Another process may have opened it in between and created the log again.
      if (old.prepare('pragma journal_mode').get()?.journal_mode === 'delete') return old;
      old.exec('rollback');
    }
    throw new Error('another process keeps using it');
  } catch (cause) {
    old.close();
    throw new UserError({
      subject: `store ${file}`,
      reason: `is in use by another process (${toReason(cause)})`,
      next: 'The store was not changed. Wait until other commands of Oncebitten have ended, then run the command again.',
      cause,
    });
  }
}

/** The damaged file keeps its name until the new one takes it. Its log moves first and never meets the new file. */
function setAside(file: string, aside: string): void {
  mkdirSync(dirname(aside), { recursive: true, mode: 0o700 });
  for (const end of ['-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, aside + end);
  if (!existsSync(file)) return;
  try {
    linkSync(file, aside);
  } catch {
    // The file system has no hard links.
    renameSync(file, aside);
  }
}
