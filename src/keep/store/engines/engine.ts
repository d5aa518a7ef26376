/**
 * The interface to a database engine: what differs between databases beyond SQL that Kysely handles. That is the
 * connection, how a transaction locks what it reads before it writes, and the advice when the database fails.
 */
import type { RawBuilder } from 'kysely';
import type { Database, StoreTransaction } from '../database-schema.ts';
import type { Row, Upsert } from '../statements.ts';

export interface Engine {
  readonly db: Database;
  /** For messages: the file, or the server without its password. */
  readonly name: string;
  /** For messages: what to do about this failure of the database. */
  advise(cause: unknown): string;
  /**
   * Writes a backup of the whole store before its tables change; `migration` is the last one that ran. Absent for a
   * server: its owner makes its backups, and a copy on one machine would be out of reach when another machine forgets
   * something.
   */
  backUp?(migration: string): Promise<void>;
  /**
   * Locks these names until the transaction ends. A transaction locks all names of one kind at once, and kinds in the
   * order of LOCK_KINDS, so that two transactions never deadlock.
   */
  lock(trx: StoreTransaction, kind: LockKind, names: readonly string[]): Promise<void>;
  /**
   * A list of texts as one parameter for `in`, because building a statement of hundreds of parameters takes longer than
   * running it.
   */
  toList(texts: readonly string[]): RawBuilder<string>;
  /** The same for lists of texts, for `from`: each is a row whose `value` is a JSON list. */
  toTable(lists: readonly (readonly string[])[]): RawBuilder<unknown>;
  /** Writes many rows and overwrites rows with the same key. */
  upsert(trx: StoreTransaction, upsert: Upsert, rows: readonly Row[]): Promise<void>;
  /**
   * Removes deleted data from the disk too, as far as the database allows. SQLite: no byte of it stays in our files.
   * PostgreSQL: the space is returned to the table; logs and backups belong to the server.
   */
  scrub(): Promise<void>;
}

export const LOCK_KINDS = ['project', 'session', 'lesson', 'signature'] as const;
type LockKind = (typeof LOCK_KINDS)[number];
