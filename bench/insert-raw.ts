/**
 * The floor of `ingest`: the very rows that the daemon stored, into the same tables with the same indexes, in batches of
 * 200 by nothing but the driver.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import { openStore } from '../src/keep/store/open-store.ts';
import type { BenchHome } from './with-bench-home.ts';

const BATCH = 200;
const CALLS = 'select * from tool_outcomes where session_id = ';
const SIGNATURES = 'select * from signatures';

type Row = Readonly<Record<string, unknown>>;

let files = 0;

/** Rows per second. */
export async function insertRawSqlite({ home }: BenchHome, session: string): Promise<number> {
  const source = new DatabaseSync(home.storeFile, { readOnly: true });
  const rows = source.prepare(`${CALLS} ?`).all(session) as Row[];
  const signatures = source.prepare(SIGNATURES).all() as Row[];
  source.close();
  const file = `${home.storeFile}.raw-${files++}`;
  await (await openStore({ url: '', file })).close();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = NORMAL');
  const insert = (table: string, list: readonly Row[]): void => {
    const columns = Object.keys(list[0] ?? {});
    if (columns.length === 0) return;
    const statement = database.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
    for (const batch of toBatches(list)) {
      database.exec('BEGIN IMMEDIATE');
      for (const row of batch) statement.run(...(Object.values(row) as SQLInputValue[]));
      database.exec('COMMIT');
    }
  };
  insert('signatures', signatures);
  const startedMs = performance.now();
  insert('tool_outcomes', rows);
  const rate = toRate(rows.length, startedMs);
  database.close();
  return rate;
}

/** `from` is the database that the daemon wrote to. */
export function insertRawPostgres(from: string, to: string): (bench: BenchHome, session: string) => Promise<number> {
  return async (_bench, session) => {
    await (await openStore({ url: to, file: '' })).close();
    const [source, target] = [new pg.Client(from), new pg.Client(to)];
    await Promise.all([source.connect(), target.connect()]);
    const { rows } = await source.query(`${CALLS} $1`, [session]);
    const { rows: signatures } = await source.query(SIGNATURES);
    await target.query('delete from tool_outcomes; delete from signatures');
    await insertPostgres(target, 'signatures', signatures);
    const startedMs = performance.now();
    await insertPostgres(target, 'tool_outcomes', rows);
    const rate = toRate(rows.length, startedMs);
    await Promise.all([source.end(), target.end()]);
    return rate;
  };
}

async function insertPostgres(client: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  for (const batch of toBatches(rows)) {
    const places = batch.map((_, row) => `(${columns.map((_, i) => `$${row * columns.length + i + 1}`).join(', ')})`);
    const text = `insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`;
    const values = batch.flatMap((row) => Object.values(row));
    await client.query({ name: `${table}-${batch.length}`, text, values });
  }
}

function toBatches(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, i) => rows.slice(i * BATCH, (i + 1) * BATCH));
}

function toRate(count: number, startedMs: number): number {
  return Math.round(count / ((performance.now() - startedMs) / 1000));
}
