/**
 * A backup is one file for every engine: gzip, one JSON document to a line. First a header, then the rows in parts, last
 * an end with the number of rows and a checksum, so that a file that was cut or changed is known as such.
 */
export const BACKUP_VERSION = 1;

export interface BackupHeader {
  readonly $schema: string;
  readonly type: 'backup';
  readonly version: number;
  /** The name of the last one: what tables and columns the rows have. */
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
  /** Of all lines before, each with its end. The first versions wrote none. */
  readonly sha256?: string;
}

/** Who is told what is in the store at one moment. */
export interface SnapshotWriter {
  begin(facts: Pick<BackupHeader, 'migration' | 'engine'>): Promise<void>;
  /** In an order in which the rows can be put into empty tables again. */
  writeRows(part: BackupPart): Promise<void>;
}

export function sumRows(counts: RowCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
