/**
 * A copy of the SQLite file as it was before its tables change: `oncebitten.db.before-<from>-<to>`. The newest three
 * stay. SQLite writes the copy itself, so it is whole while others write.
 */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import type { DatabaseSchema } from './database-schema.ts';

export interface Versions {
  /** Of the tables: the number of the last migration. */
  readonly from: string;
  readonly to: string;
}

const MAX_BACKUPS = 3;

/** Rejects when there is no room for it: then the store must stay as it is. */
export async function backUpSqlite(
  db: Kysely<DatabaseSchema>,
  file: string,
  { from, to }: Versions,
  readVersion: (copy: DatabaseSync) => string,
): Promise<void> {
  const backup = `${file}.before-${from}-${to}`;
  const draft = `${backup}.${process.pid}.tmp`;
  try {
    rmSync(draft, { force: true });
    // Empty, and for its owner alone, before SQLite fills it.
    closeSync(openSync(draft, 'wx', 0o600));
    await sql`vacuum into ${draft}`.execute(db);
    // Another process may have changed the tables in between; the copy it made is the right one.
    if (!hasVersion(draft, from, readVersion)) return;
    flush(draft);
    renameSync(draft, backup);
  } finally {
    rmSync(draft, { force: true });
  }
  for (const old of listBackups(file).slice(MAX_BACKUPS)) rmSync(old, { force: true });
}

/** Newest first. */
export function listBackups(file: string): readonly string[] {
  const start = `${basename(file)}.before-`;
  const toTimeMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  try {
    return readdirSync(dirname(file))
      .filter((name) => name.startsWith(start) && !name.endsWith('.tmp'))
      .map((name) => join(dirname(file), name))
      .toSorted((a, b) => toTimeMs(b) - toTimeMs(a));
  } catch {
    return [];
  }
}

function hasVersion(copy: string, version: string, readVersion: (copy: DatabaseSync) => string): boolean {
  const database = new DatabaseSync(copy, { readOnly: true });
  try {
    return readVersion(database) === version;
  } finally {
    database.close();
  }
}

function flush(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
