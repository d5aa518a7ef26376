/**
 * The source and the options of a restore, and the draft files that a killed restore leaves beside the store. Such
 * drafts are removed, because they contain the data of a store.
 */

import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BackupPart } from '../../../base/storage/backup.ts';

export interface RestoreSource {
  /** For messages. */
  readonly name: string;
  readonly migration: string;
  /** By table, the columns that the rows have. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  readonly parts: AsyncIterable<BackupPart>;
}

export interface RestoreHow {
  onRows(count: number): void;
  /** A file that is damaged is kept here, with what belongs to it. */
  readonly aside?: string;
}

const MARK = '.restore-';

/** Removes what a restore that was killed left beside the store. It holds what a store holds. */
export function toRestoreDraft(file: string): string {
  return `${file}${MARK}${process.pid}.tmp`;
}

/** Nobody may be restoring now. */
export function removeRestoreDrafts(file: string): void {
  for (const name of listNames(dirname(file)))
    if (name.startsWith(basename(file) + MARK)) rmSync(join(dirname(file), name), { force: true });
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
