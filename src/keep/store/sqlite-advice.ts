/** What to do when the SQLite file fails: for one that is broken, how to get the last good one back. */
import { listBackupFiles } from '../backup/backup-files.ts';
import { toBackupsDir } from './backup-sqlite.ts';

const NEXT = 'Check that the file is an SQLite database you can write, and that its disk has room.';
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export function toSqliteAdvice(file: string, cause: unknown): string {
  if (!isBroken(cause)) return NEXT;
  const backup = listBackupFiles({ backupsDir: toBackupsDir(file) }).find(({ kind }) => kind !== 'damaged');
  const restore = backup === undefined ? '' : `oncebitten restore ${backup.file}. Or: `;
  return [
    'Check that the file is the SQLite database it should be; nothing was overwritten, and new events wait in the spool.',
    `If it is broken: ${restore}oncebitten daemon stop, move it away to begin anew, then oncebitten doctor.`,
  ].join(' ');
}

export function isBroken(cause: unknown): boolean {
  const code = (cause as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff);
}
