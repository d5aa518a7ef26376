/**
 * Removes forgotten data from every automatic backup: restores the backup into a separate file, changes it like the store,
 * and writes it again. A backup that cannot be changed is deleted, because it must not bring the data back.
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
  // Named like drafts of backups, so that the cleanup removes it after a kill.
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
    // Keep its times, so that its order among the backups stays.
    utimesSync(file, atime, mtime);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
