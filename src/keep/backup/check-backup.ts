/** Reads a backup from its header to its end, before anything is done with it. */
import type { BackupHeader, RowCounts } from '../../base/backup.ts';
import { openBackup } from './read-backup.ts';

export interface CheckedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly rows: RowCounts;
  /** What was forgotten by then, or removed from it since: see `toForgottenKey`. */
  readonly forgotten: ReadonlySet<string>;
}

export function toForgottenKey(kind: string, id: string): string {
  return `${kind} ${id}`;
}

export async function checkBackup(file: string, onRows: (count: number) => void): Promise<CheckedBackup> {
  const { header, tables, parts } = await openBackup(file);
  const rows: Record<string, number> = Object.fromEntries([...tables.keys()].map((table) => [table, 0]));
  const forgotten = new Set<string>();
  let sum = 0;
  for await (const part of parts) {
    rows[part.table] = (rows[part.table] ?? 0) + part.rows.length;
    if (part.table === 'forgotten')
      for (const { kind, id } of part.rows) forgotten.add(toForgottenKey(String(kind), String(id)));
    sum += part.rows.length;
    onRows(sum);
  }
  return { file, header, rows, forgotten };
}
