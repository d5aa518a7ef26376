/**
 * The backup files of a data directory, by name: `oncebitten-<time><kind>.jsonl.gz`. A person asked for those without a
 * kind; they stay until the person removes them. The others are automatic, and only a few of them are kept.
 */
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** The kinds of automatic backups, and how many of each are kept. */
const AUTOMATIC_BACKUPS = { daily: 7, 'before-migration': 3, 'before-removal': 3, 'before-restore': 3 } as const;
export type AutomaticBackup = keyof typeof AUTOMATIC_BACKUPS;

/** The maximum total size of all automatic backups. */
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

/** Newest first, without drafts of a backup that was killed. */
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
 * Removes by number and size, which no wrong clock can change. With a trusted time also by age, except for daily ones:
 * they replace each other, while the others would keep texts until the next migration. The largest backup from before a
 * removal is kept first, because later ones lack the removed rows.
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
  // The newest is counted first, so that a backup that was just made is never removed.
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

/** Removes drafts of backups, and of changes to them, that were killed. */
export function removeBackupDrafts(folder: Folder, beforeMs: number): void {
  removeDrafts(folder, (draft) => (draft?.mtimeMs ?? 0) < beforeMs);
}

/** Removes the folders of a killed `forget` that was rewriting backups. Requires the daemon's lock. */
export function removeRewrites(folder: Folder): void {
  removeDrafts(folder, (draft) => draft?.isDirectory() === true);
}

function removeDrafts({ backupsDir }: Folder, isGone: (draft: Stats | undefined) => boolean): void {
  for (const name of listNames(backupsDir).filter((one) => one.startsWith('.') && one.endsWith('.tmp'))) {
    const path = join(backupsDir, name);
    if (isGone(statSync(path, { throwIfNoEntry: false }))) rmSync(path, { recursive: true, force: true });
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

/** Sorts like the time and is valid in every file system. */
function toFileTime(at: string): string {
  return at.replaceAll(/[:.]/g, '-');
}

/** The names in a folder; none if it cannot be read. */
export function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Flushes a folder, so that a file renamed into it survives a power cut. */
export function flushFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Some systems cannot flush a folder, but the rename has happened.
  }
}
