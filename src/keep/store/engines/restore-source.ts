/** The source and the options of a restore, and the draft files that a killed restore leaves beside the store. */

import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BackupPart } from '../../../base/storage/backup.ts';
import { listNames } from '../../backup/backup-files.ts';
import type { Database } from '../database-schema.ts';
import { insertRows } from '../statements.ts';

export interface RestoreSource {
  /** For messages. */
  readonly name: string;
  readonly migration: string;
  /** The columns of the rows, by table. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  readonly parts: AsyncIterable<BackupPart>;
}

export interface RestoreHow {
  onRows(count: number): void;
  /** Where to keep a damaged store file, with its log. */
  readonly aside?: string;
}

export async function insertParts(db: Database, { parts, columns }: RestoreSource, how: RestoreHow): Promise<void> {
  let inserted = 0;
  for await (const part of parts) {
    await insertRows(db, part, columns.get(part.table) ?? []);
    inserted += part.rows.length;
    how.onRows(inserted);
  }
}

const MARK = '.restore-';

/** The name of the draft file beside the store. */
export function toRestoreDraft(file: string): string {
  return `${file}${MARK}${process.pid}.tmp`;
}

/** Removes the drafts of a killed restore, because they contain the data of a store. No restore may be running. */
export function removeRestoreDrafts(file: string): void {
  for (const name of listNames(dirname(file)))
    if (name.startsWith(basename(file) + MARK)) rmSync(join(dirname(file), name), { force: true });
}
