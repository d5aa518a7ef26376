/**
 * Removes from every automatic backup what was removed from the store: the backup is restored into a file of its own,
 * changed there as the store was, and written again. A backup that cannot be changed is removed: nobody asked for it, and
 * it must not bring back what a person wanted gone.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Store } from '../../base/contracts/store.ts';
import { type BackupFile, listAutomaticBackups, listBackupFiles } from '../../keep/backup/backup-files.ts';
import { openBackup } from '../../keep/backup/read-backup.ts';
import { writeBackup } from '../../keep/backup/write-backup.ts';
import { restoreStore } from '../../keep/store/engines/restore-store.ts';
import { openStore } from '../../keep/store/open-store.ts';
import type { DataHome } from '../home/data-home.ts';

export interface ForgottenBackups {
  readonly rewritten: readonly string[];
  readonly removed: readonly string[];
}

interface RewriteOptions {
  /** Names of backups that an interrupted run has already rewritten. */
  readonly done?: readonly string[];
  /** Called with the name of each backup that no longer contains the rows. */
  readonly onDone?: (name: string) => void;
  /** Asked before each backup; true leaves the rest for another run. */
  readonly isEnding?: () => boolean;
  readonly progress?: (line: string) => void;
}

export async function forgetInBackups(
  home: Pick<DataHome, 'backupsDir'>,
  change: (store: Store) => Promise<unknown>,
  { done = [], onDone = () => {}, isEnding = () => false, progress = () => {} }: RewriteOptions = {},
): Promise<ForgottenBackups> {
  const rewritten: string[] = [];
  const removed = removeDamaged(home);
  const backups = listAutomaticBackups(home).filter(({ file }) => !done.includes(basename(file)));
  for (const [n, backup] of backups.entries()) {
    if (isEnding()) break;
    progress(`Removing it from automatic backups: ${n + 1} of ${backups.length}`);
    try {
      await rewrite(home, backup, change);
      rewritten.push(backup.file);
    } catch {
      rmSync(backup.file, { force: true });
      removed.push(backup.file);
    }
    onDone(basename(backup.file));
  }
  return { rewritten, removed };
}

/** Stores that `restore` set aside because SQLite could not read them: no row can be removed from such a file. */
function removeDamaged(home: Pick<DataHome, 'backupsDir'>): string[] {
  const damaged = listBackupFiles(home).filter(({ kind }) => kind === 'damaged');
  for (const { file } of damaged) for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  return damaged.map(({ file }) => file);
}

async function rewrite(
  { backupsDir }: Pick<DataHome, 'backupsDir'>,
  { file }: BackupFile,
  change: (store: Store) => Promise<unknown>,
): Promise<void> {
  const { atime, mtime } = statSync(file);
  // As drafts of backups are named: one that is killed is cleared away with them.
  const folder = join(backupsDir, `.${basename(file)}.${randomUUID()}.tmp`);
  mkdirSync(folder, { mode: 0o700 });
  try {
    const place = { url: '', file: join(folder, 'store.db') };
    const { header, tables, parts } = await openBackup(file);
    const columns = new Map([...tables].map(([table, names]) => [table, [...names.keys()]]));
    await restoreStore(place, { name: file, migration: header.migration, columns, parts }, { onRows: () => {} });
    const store = await openStore(place);
    try {
      await change(store);
      await writeBackup(store, { file, at: header.at, oncebitten: header.oncebitten, onRows: () => {} });
    } finally {
      await store.close();
    }
    // Its place among the others stays.
    utimesSync(file, atime, mtime);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
