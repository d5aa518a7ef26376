/** Backups of a person's own that may contain what happened since a time: those made before it began cannot. */
import { type BackupFile, listBackupFiles } from '../../keep/backup/backup-files.ts';
import type { DataHome } from '../data-home.ts';

/** Without a time: all of them. */
export function listHolding(home: Pick<DataHome, 'backupsDir'>, since: string | undefined): readonly string[] {
  const sinceMs = since === undefined ? Number.NaN : Date.parse(since);
  const isBefore = ({ at }: BackupFile): boolean => Date.parse(at) < sinceMs;
  return listBackupFiles(home)
    .filter(({ kind }) => kind === 'own')
    .filter((backup) => !isBefore(backup))
    .map(({ file }) => file);
}
