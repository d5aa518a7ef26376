/** Puts rows of a backup into a table as they are. One text for each number of rows, so that it is prepared once. */
import { CompiledQuery, type Kysely, PostgresAdapter } from 'kysely';
import type { BackupPart } from '../../base/backup.ts';
import type { DatabaseSchema } from './database-schema.ts';

/** Beyond that nothing is gained, and SQLite takes 32,766 parameters. */
const SQLITE_ROWS = 50;

export async function insertRows(
  db: Kysely<DatabaseSchema>,
  { table, rows }: BackupPart,
  columns: readonly string[],
): Promise<void> {
  const into = `insert into "${table}" (${toNames(columns)})`;
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const source = `select ${toNames(columns)} from json_populate_recordset(null::"${table}", $1::json)`;
    await db.executeQuery(CompiledQuery.raw(`${into} ${source}`, [JSON.stringify(rows)]));
    return;
  }
  const place = `(${columns.map(() => '?').join(', ')})`;
  for (let from = 0; from < rows.length; from += SQLITE_ROWS) {
    const some = rows.slice(from, from + SQLITE_ROWS);
    const values = some.flatMap((row) => columns.map((column) => row[column] ?? null));
    await db.executeQuery(CompiledQuery.raw(`${into} values ${some.map(() => place).join(', ')}`, values));
  }
}

function toNames(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}
