/** What a store is restored from, and how. */
import type { BackupPart } from '../../base/backup.ts';

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
