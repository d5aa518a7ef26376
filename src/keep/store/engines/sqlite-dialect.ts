/**
 * The Kysely dialect for `node:sqlite`, with retries while the database is busy. Kysely's own SQLite dialect expects
 * the interface of better-sqlite3 and begins deferred transactions; the SQL is the same. SQLite's busy_timeout is not
 * used, because it blocks the thread, and a connection of the same thread that holds the lock could never release it.
 */

import { type DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { dropOldest } from '../../../base/bounded-memory.ts';

export function makeNodeSqliteDialect(database: DatabaseSync): Dialect {
  return {
    createDriver: () => makeDriver(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalDdlAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** SQLite rolls tables back like rows. This flag makes the migrator run in one transaction, which is also its lock. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function makeDriver(database: DatabaseSync): Driver {
  const connection = makeConnection(database);
  const turns = makeMutex();
  const run = (sql: string) => retryWhileBusy(() => database.exec(sql));
  return {
    init: async () => {},
    acquireConnection: async () => {
      await turns.take();
      return connection;
    },
    // Immediate, because a transaction that reads in order to write must hold the write lock before the read.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: async () => {
      // On a full disk SQLite has already rolled back; failing here would hide that error.
      if (database.isTransaction) database.exec('rollback');
    },
    releaseConnection: async () => turns.release(),
    destroy: async () => {
      await turns.take();
      if (database.isOpen) database.close();
      turns.release();
    },
  };
}

function makeConnection(database: DatabaseSync): DatabaseConnection {
  const prepare = makePreparer(database);
  return {
    executeQuery: <R>(query: CompiledQuery) => retryWhileBusy(() => execute<R>(prepare(query.sql), query)),
    streamQuery: () => {
      throw new Error('the SQLite store does not stream');
    },
  };
}

interface Prepared {
  readonly statement: StatementSync;
  /** Of the columns that it returns. Empty for a statement that is no query. */
  readonly names: readonly string[];
}

const MAX_PREPARED = 100;
/** The oldest Node that we run on may not. */
const MAKES_LISTS = 'setReturnArrays' in StatementSync.prototype;
const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/i;

/**
 * Preparing a statement takes longer than running most of them, so the last ones are kept. SQLite prepares them again
 * by itself when tables change.
 */
function makePreparer(database: DatabaseSync): (sql: string) => Prepared {
  const kept = new Map<string, Prepared>();
  return (sql) => {
    // What it changes may be the columns of kept statements.
    if (CHANGES_TABLES.test(sql)) kept.clear();
    const known = kept.get(sql) ?? prepare(database, sql);
    kept.delete(sql);
    kept.set(sql, known);
    dropOldest(kept, MAX_PREPARED);
    return known;
  };
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  const names = listNames(statement);
  if (names.length > 0 && MAKES_LISTS) statement.setReturnArrays(true);
  return { statement, names };
}

function listNames(statement: StatementSync): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

function execute<R>({ statement, names }: Prepared, query: CompiledQuery): QueryResult<R> {
  const parameters = query.parameters as SQLInputValue[];
  if (names.length > 0) return { rows: readRows(statement, parameters, names) as R[] };
  const { changes } = statement.run(...parameters);
  return { rows: [], numAffectedRows: BigInt(changes) };
}

/**
 * The objects that node:sqlite makes take twice the time of lists, to make and to read. A table may have got columns since
 * the statement was prepared, also from another process.
 */
function readRows(statement: StatementSync, parameters: SQLInputValue[], known: readonly string[]): object[] {
  const found = statement.all(...parameters);
  if (!MAKES_LISTS) return found;
  const rows = found as unknown as readonly unknown[][];
  const isSame = rows[0] === undefined || rows[0].length === known.length;
  const names = isSame ? known : listNames(statement);
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i];
    return row;
  });
}

/** One user of the connection at a time, in the order of the requests. */
function makeMutex() {
  const waiting: (() => void)[] = [];
  let taken = false;
  return {
    async take(): Promise<void> {
      if (taken) await new Promise<void>((resolve) => waiting.push(resolve));
      taken = true;
    },
    release(): void {
      const next = waiting.shift();
      if (next) next();
      else taken = false;
    },
  };
}

/** Long enough for twenty writers on a busy machine: a transaction takes milliseconds, but each has to get its turn. */
const WAIT_MS = 20_000;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** Waits for another SQLite connection to finish. */
export async function retryWhileBusy<T>(attempt: () => T): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
    // Random pauses, so that two waiters do not stay in step.
    await sleep(1 + Math.random() * 20);
  }
}

/** Another connection holds the file. */
export function isBusy(error: unknown): boolean {
  const { errcode: code, cause } = (error ?? {}) as { errcode?: unknown; cause?: unknown };
  if (typeof code !== 'number') return cause !== undefined && isBusy(cause);
  // The low byte is the primary code; SQLITE_BUSY has several extended codes.
  return (code & 0xff) === SQLITE_BUSY || (code & 0xff) === SQLITE_LOCKED;
}
