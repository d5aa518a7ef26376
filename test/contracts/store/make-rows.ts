/** Makes rows for every table of a version from its columns alone, so that future versions are filled too. */
import type { BackupPart, BackupRow } from '../../../src/base/storage/backup.ts';
import { SIGNATURE_VERSION } from '../../../src/base/text/signature.ts';
import type { Column, Tables } from '../../../src/keep/backup/backup-rows.ts';
import { BACKUP_TABLES } from '../../../src/keep/store/maintenance/snapshot.ts';
import { makeLesson } from './make-samples.ts';

/** Texts that must be what they are. */
const TEXTS: Readonly<Record<string, string>> = {
  roots: '["/home/ann/shop"]',
  document: JSON.stringify(makeLesson()),
  before: JSON.stringify(makeLesson()),
  after: JSON.stringify(makeLesson()),
  made: '[".claude"]',
};
/** Columns that name a row of another table. */
const REFERENCES: Readonly<Record<string, string>> = { signature_id: 'signatures', lesson_id: 'lessons' };

/** In an order in which they can be inserted. `texts`: what the other texts begin with, one after the other. */
export function makeRows(tables: Tables, count: number, texts: readonly string[] = ['x']): readonly BackupPart[] {
  let used = 0;
  const takeText = (): string => texts[used++ % texts.length] ?? '';
  return BACKUP_TABLES.flatMap(([table, key]) => {
    const columns = tables.get(table);
    if (columns === undefined) return [];
    const makeRow = (n: number): BackupRow =>
      Object.fromEntries(
        [...columns].map(([name, column]) => {
          const isText = column.kind === 'text';
          const isUnique = isText && (key.includes(name) || ['slug', 'session_id'].includes(name));
          // Signatures of an older version are made again; `describe-sign-again.ts` tests that.
          if (table === 'signatures' && name === 'version') return [name, SIGNATURE_VERSION];
          return [name, isUnique ? `${table} ${name} ${n}` : makeValue(name, column, n, takeText)];
        }),
      );
    return [{ table, rows: Array.from({ length: count }, (_, n) => makeRow(n)) }];
  });
}

function makeValue(name: string, column: Column, n: number, takeText: () => string): string | number | null {
  if (column.isNullable && n % 3 === 2) return null;
  if (column.kind === 'integer') return n % 2;
  if (column.kind === 'real') return n === 1 ? 18_446_744_073_709_552_000 : n + 0.125;
  const reference = REFERENCES[name];
  if (reference !== undefined) return `${reference} id ${n}`;
  return TEXTS[name] ?? takeText();
}
