/** Rows in parts that fit into one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const ROWS_PER_STATEMENT = 500;

export function toChunks<T>(rows: readonly T[]): readonly T[][] {
  const count = Math.ceil(rows.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, i) => rows.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT));
}
