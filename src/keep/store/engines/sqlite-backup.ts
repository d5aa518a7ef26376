/**
 * Backs up the SQLite store before a migration, into the backups folder beside its file, and words the advice for a
 * failing or broken SQLite file.
 */

import { dirname, join } from 'node:path';
import { listBackupFiles } from '../../backup/backup-files.ts';
import { writeAutomaticBackup } from '../../backup/write-backup.ts';
import type { Database } from '../database-schema.ts';
import { readSnapshot } from '../maintenance/snapshot.ts';
import { isBusy } from './sqlite-dialect.ts';

/** The folder as in `data-home.ts`, also for a store that is opened by its file alone. */
export function toBackupsDir(file: string): string {
  return join(dirname(file), 'backups');
}

class MigratedMeanwhile extends Error {}

/** Rejects if there is no room, and then the store must stay as it is. */
export async function backUpSqlite(db: Database, file: string, migration: string): Promise<void> {
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
    `If it is broken: ${restore}oncebitten daemon stop, move it away to begin anew, then oncebitten doctor.`,
  ].join(' ');
}

export function isBrokenFile(cause: unknown): boolean {
  const code = (cause as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff);
}
