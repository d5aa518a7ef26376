/** Reads a backup from its header to its end, before anything is done with it. */
import type { BackupHeader, RowCounts } from '../../base/backup.ts';
import { openBackup } from './read-backup.ts';

export interface CheckedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly rows: RowCounts;
}

export async function checkBackup(file: string, onRows: (count: number) => void): Promise<CheckedBackup> {
  const { header, tables, parts } = await openBackup(file);
  const rows: Record<string, number> = Object.fromEntries([...tables.keys()].map((table) => [table, 0]));
  let sum = 0;
  for await (const part of parts) {
    rows[part.table] = (rows[part.table] ?? 0) + part.rows.length;
    sum += part.rows.length;
    onRows(sum);
  }
  return { file, header, rows };
}
