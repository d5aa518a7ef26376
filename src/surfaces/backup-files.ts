/** The backups of a data directory, by their names. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataHome } from './data-home.ts';

export interface BackupFile {
  readonly file: string;
  readonly bytes: number;
  readonly at: string;
}

/** Newest first; with the damaged stores that `restore` kept. Drafts of a backup that was killed are none. */
export function listBackupFiles({ backupsDir }: Pick<DataHome, 'backupsDir'>): readonly BackupFile[] {
  return listNames(backupsDir)
    .filter((name) => !name.startsWith('.') && !/-(?:wal|shm)$/.test(name))
    .flatMap((name) => {
      const stat = statSync(join(backupsDir, name), { throwIfNoEntry: false });
      if (stat?.isFile() !== true) return [];
      return [{ file: join(backupsDir, name), bytes: stat.size, at: stat.mtime.toISOString() }];
    })
    .toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

/** What a backup that was killed left. */
export function removeBackupDrafts({ backupsDir }: Pick<DataHome, 'backupsDir'>, beforeMs: number): void {
  for (const name of listNames(backupsDir).filter((one) => one.startsWith('.') && one.endsWith('.tmp'))) {
    const path = join(backupsDir, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < beforeMs) rmSync(path, { force: true });
  }
}

/** `kind`: why it was made, if not because somebody asked. */
export function toBackupFile({ backupsDir }: Pick<DataHome, 'backupsDir'>, at: string, kind = ''): string {
  return join(backupsDir, `oncebitten-${toFileTime(at)}${kind}.jsonl.gz`);
}

export function toDamagedFile({ backupsDir }: Pick<DataHome, 'backupsDir'>, at: string): string {
  return join(backupsDir, `damaged-${toFileTime(at)}.db`);
}

/** Sorts as the time does, and no file system minds it. */
function toFileTime(at: string): string {
  return at.replaceAll(/[:.]/g, '-');
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
