/**
 * What differs between databases once Kysely has levelled their SQL: who is asked, how a transaction keeps others
 * away from what it reads before it writes, and what a person is told when the database fails.
 */
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { DatabaseSchema } from '../database-schema.ts';
import type { Row, Upsert } from '../statements.ts';

export interface Engine {
  readonly db: Kysely<DatabaseSchema>;
  /** For messages: the file, or the server without its password. */
  readonly name: string;
  /** For messages: what to do when the database fails like this. */
  advise(cause: unknown): string;
  /**
   * Writes a backup of the whole store before its tables change; `migration` is the last one that ran in it. A server has
   * none: its backups are its owner's, and a copy on one machine is out of reach when others forget something.
   */
  backUp?(migration: string): Promise<void>;
  /**
   * Until the transaction ends, nobody else has these names. A transaction takes all names of one kind at once, and
   * kinds in the order of LOCK_KINDS: so two transactions never wait for each other.
   */
  lock(trx: Transaction<DatabaseSchema>, kind: LockKind, names: readonly string[]): Promise<void>;
  /** A list of texts as one parameter, to stand behind `in`: building a statement of hundreds costs more than running it. */
  toList(texts: readonly string[]): RawBuilder<string>;
  /** The same for lists of texts, to stand behind `from`: each is a row whose `value` is a JSON list. */
  toTable(lists: readonly (readonly string[])[]): RawBuilder<unknown>;
  /** Writes many rows, those of one key over each other. */
  upsert(trx: Transaction<DatabaseSchema>, upsert: Upsert, rows: readonly Row[]): Promise<void>;
  /**
   * What was deleted leaves the disk too, as far as the database lets us. SQLite: no byte of it stays in our files.
   * PostgreSQL: the space is given back to the table; its log and backups are the server's.
   */
  scrub(): Promise<void>;
}

export const LOCK_KINDS = ['project', 'session', 'lesson', 'signature'] as const;
type LockKind = (typeof LOCK_KINDS)[number];
