/** Writes a backup that nobody asked for, and keeps all of them together within their number and size. */
import { mkdirSync, rmSync } from 'node:fs';
import type { Store } from '../../base/store.ts';
import { type AutomaticBackup, dropOldBackups, MAX_AUTOMATIC_BYTES, toBackupFile } from './backup-files.ts';
import { type BackupWish, type WrittenBackup, writeBackup } from './write-backup.ts';

export interface AutomaticWish extends Omit<BackupWish, 'file'> {
  readonly backupsDir: string;
  readonly kind: AutomaticBackup;
  readonly maxBytes?: number;
  /** By a clock that can be trusted: those made before a migration, a removal or a restore go when they are older. */
  readonly oldBefore?: string;
}

export interface AutomaticResult extends WrittenBackup {
  /** It alone takes more than all may: it was removed again, and older ones were kept. */
  readonly isTooLarge: boolean;
}

/** Rejects when it cannot be written: then nothing may be removed or migrated. */
export async function writeAutomaticBackup(
  source: Pick<Store, 'readSnapshot'>,
  { backupsDir, kind, maxBytes = MAX_AUTOMATIC_BYTES, oldBefore, ...wish }: AutomaticWish,
): Promise<AutomaticResult> {
  mkdirSync(backupsDir, { recursive: true, mode: 0o700 });
  const written = await writeBackup(source, { ...wish, file: toBackupFile({ backupsDir }, wish.at, kind) });
  const isTooLarge = written.bytes > maxBytes;
  if (isTooLarge) rmSync(written.file, { force: true });
  dropOldBackups({ backupsDir }, maxBytes, oldBefore);
  return { ...written, isTooLarge };
}
