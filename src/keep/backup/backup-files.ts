/**
 * The backups of a data directory, by their names: `oncebitten-<time><kind>.jsonl.gz`. Those without a kind a person asked
 * for; they stay until the person removes them. The others are automatic, and few of them are kept.
 */
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Why a backup was made without being asked for, and how many of the kind are kept. */
const AUTOMATIC_BACKUPS = { daily: 7, 'before-migration': 3, 'before-removal': 3, 'before-restore': 3 } as const;
export type AutomaticBackup = keyof typeof AUTOMATIC_BACKUPS;

/** What all automatic backups together may take on the disk. */
export const MAX_AUTOMATIC_BYTES = 2 * 1024 ** 3;

export interface BackupFile {
  readonly file: string;
  readonly bytes: number;
  readonly at: string;
  /** `own`: a person asked for it. `damaged`: a store that could not be read when another was restored. */
  readonly kind: AutomaticBackup | 'own' | 'damaged';
}

interface Folder {
  readonly backupsDir: string;
}

/** Newest first. Drafts of a backup that was killed are not listed. */
export function listBackupFiles({ backupsDir }: Folder): readonly BackupFile[] {
  return listNames(backupsDir)
    .filter((name) => !name.startsWith('.') && !/-(?:wal|shm)$/.test(name))
    .flatMap((name): readonly BackupFile[] => {
      const stat = statSync(join(backupsDir, name), { throwIfNoEntry: false });
      if (stat?.isFile() !== true) return [];
      return [{ file: join(backupsDir, name), bytes: stat.size, at: stat.mtime.toISOString(), kind: toKind(name) }];
    })
    .toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

export function listAutomaticBackups(folder: Folder): readonly BackupFile[] {
  return listBackupFiles(folder).filter(({ kind }) => Object.hasOwn(AUTOMATIC_BACKUPS, kind));
}

/**
 * By number and size, which no wrong clock can change. With a time that can be trusted also by age, but not the daily ones:
 * these follow each other, while the others would keep texts for as long as nothing is migrated. The largest backup from
 * before a removal is kept first, because later ones no longer have the rows that it removed.
 */
export function dropOldBackups(folder: Folder, maxBytes = MAX_AUTOMATIC_BYTES, oldBefore = ''): readonly string[] {
  const seen = new Map<string, number>();
  let bytes = 0;
  const listed = listAutomaticBackups(folder);
  const isOld = ({ kind, at }: BackupFile): boolean => kind !== 'daily' && at < oldBefore;
  const full = listed
    .filter((backup) => backup.kind === 'before-removal' && !isOld(backup))
    .reduce<BackupFile | undefined>(
      (most, one) => (most === undefined || one.bytes >= most.bytes ? one : most),
      undefined,
    );
  // The newest goes before it in the order of size, so that a backup that was just made is never the one to go.
  const order = full === undefined ? listed : [...new Set([...listed.slice(0, 1), full, ...listed])];
  const gone = order.filter((backup) => {
    const place = (seen.get(backup.kind) ?? 0) + 1;
    seen.set(backup.kind, place);
    if (place > AUTOMATIC_BACKUPS[backup.kind as AutomaticBackup] || isOld(backup)) return true;
    bytes += backup.bytes;
    return bytes > maxBytes;
  });
  for (const { file } of gone) rmSync(file, { force: true });
  return gone.map(({ file }) => file);
}

/** What a backup, or a change of one, left when it was killed. */
export function removeBackupDrafts({ backupsDir }: Folder, beforeMs: number): void {
  for (const name of listNames(backupsDir).filter((one) => one.startsWith('.') && one.endsWith('.tmp'))) {
    const path = join(backupsDir, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < beforeMs)
      rmSync(path, { recursive: true, force: true });
  }
}

/** The folders in which a killed `forget` was rewriting backups. Only the holder of the daemon's lock may call this. */
export function removeRewrites({ backupsDir }: Folder): void {
  for (const name of listNames(backupsDir).filter((one) => one.startsWith('.') && one.endsWith('.tmp'))) {
    const path = join(backupsDir, name);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      rmSync(path, { recursive: true, force: true });
  }
}

export function toBackupFile({ backupsDir }: Folder, at: string, kind?: AutomaticBackup): string {
  return join(backupsDir, `oncebitten-${toFileTime(at)}${kind === undefined ? '' : `-${kind}`}.jsonl.gz`);
}

export function toDamagedFile({ backupsDir }: Folder, at: string): string {
  return join(backupsDir, `damaged-${toFileTime(at)}.db`);
}

function toKind(name: string): BackupFile['kind'] {
  if (name.startsWith('damaged-')) return 'damaged';
  const kinds = Object.keys(AUTOMATIC_BACKUPS) as AutomaticBackup[];
  return kinds.find((kind) => name.startsWith('oncebitten-') && name.endsWith(`-${kind}.jsonl.gz`)) ?? 'own';
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

/** Makes sure that a file which was renamed into this folder is still there after a power cut. */
export function flushFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Some systems cannot flush a folder; the rename has happened all the same.
  }
}
