/**
 * Writes many rows of one table in few statements, and defines SQL fragments that several stores share. Databases
 * differ in how one statement takes many rows, so there is one upsert per engine.
 */

import { CompiledQuery, PostgresAdapter, sql } from 'kysely';
import { HOOK_TOOL_PREFIX } from '../../base/model/tool.ts';
import { compareTexts } from '../../base/records.ts';
import type { BackupPart } from '../../base/storage/backup.ts';
import type { Database, DatabaseSchema, StoreTransaction } from './database-schema.ts';

export interface Upsert {
  readonly table: keyof DatabaseSchema;
  readonly columns: readonly string[];
  /** A row with the same values in these columns is the same row. */
  readonly key: readonly string[];
  /** The columns that an existing row takes from the new one. */
  readonly update: readonly string[];
}

export type Row = Readonly<Record<string, unknown>>;

/**
 * Rows per statement: beyond 50 nothing is gained, a single row costs twice as much, and a statement is prepared for
 * each of these sizes.
 */
const SQLITE_ROWS = [50, 16, 4, 1];
const POSTGRES_ROWS = 1000;

/**
 * Writes rows as if one after the other. All rows have the same columns. Without `update`, an existing row takes every
 * column from the new one.
 */
export async function upsertAll(
  { upsert }: { readonly upsert: typeof upsertSqliteRows },
  trx: StoreTransaction,
  { table, key, update }: Pick<Upsert, 'table' | 'key'> & Partial<Pick<Upsert, 'update'>>,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const how = { table, columns, key, update: update ?? columns.filter((column) => !key.includes(column)) };
  await upsert(trx, how, toOnce(how, rows as Row[]));
}

/** One statement must not touch a row twice. Sorted by key, so that two transactions never deadlock. */
function toOnce({ key, update }: Upsert, rows: readonly Row[]): readonly Row[] {
  const once = new Map<string, Row>();
  for (const row of rows) {
    const name = key.map((column) => row[column]).join('\0');
    const before = once.get(name);
    const taken = before && Object.fromEntries(update.map((column) => [column, row[column]]));
    once.set(name, before === undefined ? row : { ...before, ...taken });
  }
  return [...once].sort(([a], [b]) => compareTexts(a, b)).map(([, row]) => row);
}

/** Uses few SQL texts, so that the prepared statements are reused. */
export async function upsertSqliteRows(trx: StoreTransaction, upsert: Upsert, rows: readonly Row[]): Promise<void> {
  const { columns } = upsert;
  for (let from = 0, to = 0; from < rows.length; from = to) {
    to = from + (SQLITE_ROWS.find((count) => count <= rows.length - from) ?? 1);
    await trx.executeQuery(CompiledQuery.raw(toSqliteText(upsert, to - from), toValues(columns, rows, from, to)));
  }
}

/** Fills a list of known length by index, because a scan passes a million values through here. */
function toValues(columns: readonly string[], rows: readonly Row[], from: number, to: number): unknown[] {
  const values = new Array<unknown>((to - from) * columns.length);
  let at = 0;
  for (let i = from; i < to; i++) {
    const row = rows[i] as Row;
    for (let j = 0; j < columns.length; j++) values[at++] = row[columns[j] as string] ?? null;
  }
  return values;
}

/** Passes all rows as one parameter, because thousands of parameters would be parsed with every statement. */
export async function upsertPostgresRows(trx: StoreTransaction, upsert: Upsert, rows: readonly Row[]): Promise<void> {
  const source = `select ${upsert.columns.join(', ')} from json_populate_recordset(null::${upsert.table}, $1::json)`;
  for (let from = 0; from < rows.length; from += POSTGRES_ROWS) {
    const part = JSON.stringify(rows.slice(from, from + POSTGRES_ROWS));
    await trx.executeQuery(CompiledQuery.raw(toText(upsert, source), [part]));
  }
}

/** By the number of rows, because building a text with thousands of placeholders takes longer than looking it up. */
const texts = new WeakMap<Upsert, string[]>();

function toSqliteText(upsert: Upsert, rows: number): string {
  const known = texts.get(upsert) ?? [];
  texts.set(upsert, known);
  const place = `(${upsert.columns.map(() => '?').join(', ')})`;
  known[rows] ??= toText(upsert, `values ${Array<string>(rows).fill(place).join(', ')}`);
  return known[rows];
}

function toText({ table, columns, key, update }: Upsert, source: string): string {
  const taken = update.map((column) => `${column} = excluded.${column}`).join(', ');
  return `insert into ${table} (${columns.join(', ')}) ${source} on conflict (${key.join(', ')}) do update set ${taken}`;
}

/** Beyond this nothing is gained, and SQLite accepts only 32,766 parameters. */
const ROWS_PER_INSERT = 50;

/** Inserts rows of a backup as they are. One SQL text for each number of rows, so that it is prepared once. */
export async function insertRows(db: Database, { table, rows }: BackupPart, columns: readonly string[]): Promise<void> {
  const into = `insert into "${table}" (${toNames(columns)})`;
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const source = `select ${toNames(columns)} from json_populate_recordset(null::"${table}", $1::json)`;
    await db.executeQuery(CompiledQuery.raw(`${into} ${source}`, [JSON.stringify(rows)]));
    return;
  }
  const place = `(${columns.map(() => '?').join(', ')})`;
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const some = rows.slice(from, from + ROWS_PER_INSERT);
    const values = some.flatMap((row) => columns.map((column) => row[column] ?? null));
    await db.executeQuery(CompiledQuery.raw(`${into} values ${some.map(() => place).join(', ')}`, values));
  }
}

function toNames(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

/** Rows that fit into one statement: SQLite accepts 32,766 parameters, PostgreSQL 65,535. */
const ROWS_PER_STATEMENT = 500;

export function toChunks<T>(rows: readonly T[]): readonly T[][] {
  const count = Math.ceil(rows.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, i) => rows.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT));
}

/** Only the agent's own calls, not runs of the user's hooks. */
export const BY_AGENT = sql<boolean>`(raw_tool_name not like ${sql.lit(`${HOOK_TOOL_PREFIX}%`)})`;
