/** A backup of the SQLite store as it is before its tables change, in the folder of all backups beside its file. */
import { dirname, join } from 'node:path';
import type { Kysely } from 'kysely';
import { writeAutomaticBackup } from '../backup/automatic-backup.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { readSnapshot } from './read-snapshot.ts';

/** As `data-home.ts` has it; a store that is opened by its file alone has the same. */
export function toBackupsDir(file: string): string {
  return join(dirname(file), 'backups');
}

class MigratedMeanwhile extends Error {}

/** Rejects when there is no room for it: then the store must stay as it is. */
export async function backUpSqlite(db: Kysely<DatabaseSchema>, file: string, migration: string): Promise<void> {
  const at = new Date().toISOString();
  const wish = { backupsDir: toBackupsDir(file), kind: 'before-migration', at, oncebitten: 'an update' } as const;
  const isWanted = (found: string): boolean => {
    // Another process may have changed the tables since; the backup it made is the right one.
    if (found !== migration) throw new MigratedMeanwhile();
    return true;
  };
  try {
    await writeAutomaticBackup(
      { readSnapshot: (teller) => readSnapshot(db, teller, isWanted) },
      { ...wish, maxBytes: Number.POSITIVE_INFINITY, onRows: () => {} },
    );
  } catch (error) {
    if (!(error instanceof MigratedMeanwhile)) throw error;
  }
}
