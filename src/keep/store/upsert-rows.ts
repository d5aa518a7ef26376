/** Many rows of one table in few statements. What differs between databases is how a statement takes many rows. */
import { CompiledQuery, type Transaction } from 'kysely';
import type { DatabaseSchema } from './database-schema.ts';

export interface Upsert {
  readonly table: keyof DatabaseSchema;
  readonly columns: readonly string[];
  /** A row with the same values here is the same row. */
  readonly key: readonly string[];
  /** What such a row takes from the new one. */
  readonly update: readonly string[];
}

export type Row = Readonly<Record<string, unknown>>;

/** Rows per statement: beyond that nothing is gained. */
const SQLITE_ROWS = 50;
const POSTGRES_ROWS = 1000;

/** One text for each number of rows, so that the prepared statement is found again. A single row would cost twice. */
export async function upsertSqliteRows(
  trx: Transaction<DatabaseSchema>,
  upsert: Upsert,
  rows: readonly Row[],
): Promise<void> {
  const place = `(${upsert.columns.map(() => '?').join(', ')})`;
  for (let from = 0; from < rows.length; from += SQLITE_ROWS) {
    const part = rows.slice(from, from + SQLITE_ROWS);
    const text = toText(upsert, `values ${part.map(() => place).join(', ')}`);
    await trx.executeQuery(
      CompiledQuery.raw(
        text,
        part.flatMap((row) => upsert.columns.map((column) => row[column] ?? null)),
      ),
    );
  }
}

/** All rows as one parameter: thousands of them would be parsed anew with every statement. */
export async function upsertPostgresRows(
  trx: Transaction<DatabaseSchema>,
  upsert: Upsert,
  rows: readonly Row[],
): Promise<void> {
  const source = `select ${upsert.columns.join(', ')} from json_populate_recordset(null::${upsert.table}, $1::json)`;
  for (let from = 0; from < rows.length; from += POSTGRES_ROWS) {
    const part = JSON.stringify(rows.slice(from, from + POSTGRES_ROWS));
    await trx.executeQuery(CompiledQuery.raw(toText(upsert, source), [part]));
  }
}

function toText({ table, columns, key, update }: Upsert, source: string): string {
  const taken = update.map((column) => `${column} = excluded.${column}`).join(', ');
  return `insert into ${table} (${columns.join(', ')}) ${source} on conflict (${key.join(', ')}) do update set ${taken}`;
}
