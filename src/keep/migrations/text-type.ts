/**
 * The type of every text column. SQLite compares text byte by byte; PostgreSQL compares it by the locale of the
 * database unless told otherwise, and then orders ids, slugs and times of different length differently.
 */
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

export function textType(db: Kysely<unknown>): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`;
}
