/**
 * The format of a backup, which is the same for every engine: gzip, one JSON document per line. First a header, then
 * the rows in parts, last an end with the number of rows and a checksum, which reveals a truncated or changed file.
 */
export const BACKUP_VERSION = 1;

export interface BackupHeader {
  readonly $schema: string;
  readonly type: 'backup';
  readonly version: number;
  /** The name of the last migration, which decides the tables and columns of the rows. */
  readonly migration: string;
  readonly engine: StoreEngine;
  readonly at: string;
  /** The version that wrote it. */
  readonly oncebitten: string;
}

export type StoreEngine = 'sqlite' | 'postgres';

export type BackupRow = Readonly<Record<string, string | number | null>>;

export interface BackupPart {
  readonly table: string;
  readonly rows: readonly BackupRow[];
}

/** By table. */
export type RowCounts = Readonly<Record<string, number>>;

export interface BackupEnd {
  readonly end: true;
  readonly rows: RowCounts;
  /** The checksum of all lines before, including their line ends. The first versions wrote none. */
  readonly sha256?: string;
}

/** Receives the content of the store as of one moment. */
export interface SnapshotWriter {
  begin(facts: Pick<BackupHeader, 'migration' | 'engine'>): Promise<void>;
  /** Called in an order in which the rows can be inserted into empty tables. */
  writeRows(part: BackupPart): Promise<void>;
}

export function sumRows(counts: RowCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
