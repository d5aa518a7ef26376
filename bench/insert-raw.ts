/** The floor of `ingest`: rows of the same table, with its indexes, in batches of 200 by nothing but the driver. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openStore } from '../src/keep/store/open-store.ts';
import type { BenchHome } from './with-bench-home.ts';

const BATCH = 200;
const COLUMNS = [
  'id',
  'agent',
  'session_id',
  'root_session_id',
  'context_id',
  'call_id',
  'project_id',
  'tool_name',
  'raw_tool_name',
  'outcome',
  'outcome_type',
  'exit_code',
  'masked',
  'tool_input_hash',
  'input_summary',
  'output_summary',
  'program',
  'duration_ms',
  'duration_source',
  'analyzed',
  'occurred_at',
  'created_at',
];

let files = 0;

/** Rows per second. */
export async function insertRawSqlite({ home }: BenchHome, count: number): Promise<number> {
  const file = `${home.storeFile}.raw-${files++}`;
  await (await openStore({ url: '', file })).close();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = NORMAL');
  const insert = database.prepare(toInsert((n) => '?'.repeat(n).split('').join(', ')));
  const startedMs = performance.now();
  for (let from = 0; from < count; from += BATCH) {
    database.exec('BEGIN IMMEDIATE');
    for (const row of makeRows(`raw-${files}`, from)) insert.run(...row);
    database.exec('COMMIT');
  }
  const rate = toRate(count, startedMs);
  database.close();
  return rate;
}

export function insertRawPostgres(url: string): (bench: BenchHome, count: number) => Promise<number> {
  return async (_bench, count) => {
    await (await openStore({ url, file: '' })).close();
    const client = new pg.Client(url);
    await client.connect();
    const place = (n: number, row: number) => Array.from({ length: n }, (_, i) => `$${row * n + i + 1}`).join(', ');
    const values = Array.from({ length: BATCH }, (_, row) => `(${place(COLUMNS.length, row)})`).join(', ');
    const text = `insert into tool_outcomes (${COLUMNS.join(', ')}) values ${values}`;
    const session = `raw-${files++}`;
    const startedMs = performance.now();
    for (let from = 0; from < count; from += BATCH) {
      await client.query({ name: 'raw', text, values: makeRows(session, from).flat() });
    }
    const rate = toRate(count, startedMs);
    await client.end();
    return rate;
  };
}

function toInsert(place: (n: number) => string): string {
  return `insert into tool_outcomes (${COLUMNS.join(', ')}) values (${place(COLUMNS.length)})`;
}

function makeRows(session: string, from: number): readonly (string | number)[][] {
  const at = new Date().toISOString();
  const hash = 'ab'.repeat(32);
  return Array.from({ length: BATCH }, (_, i) => {
    const id = `${session}-${String(from + i).padStart(8, '0')}`;
    const summary = `npm test # ${id}`;
    const texts = ['claude-code', session, session, '', id, 'prj_bench', 'shell', 'Bash', 'success', 'no-error'];
    return [id, ...texts, 0, 0, hash, summary, 'x'.repeat(500), 'npm', 20, 'agent', 0, at, at];
  });
}

function toRate(count: number, startedMs: number): number {
  return Math.round(count / ((performance.now() - startedMs) / 1000));
}
