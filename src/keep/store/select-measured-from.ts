/**
 * From when on each lesson is measured, for those that a person decided about, or that are measured anew: what was
 * delivered before does not count. To stand in a `with`: read once, however many deliveries are asked.
 */
import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { DatabaseSchema } from './database-schema.ts';

/** Most lessons have none: their documents are not parsed. */
const HAS_MEASURE = sql`document like '%"measure":%'`;

/** `measured_from (lesson_id, from_at)`. */
export function selectMeasuredFrom(db: Kysely<DatabaseSchema>): RawBuilder<unknown> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const from = isPostgres ? sql`document::json #>> '{measure,from}'` : sql`json_extract(document, '$.measure.from')`;
  return sql`measured_from as materialized (select id as lesson_id, ${from} as from_at from lessons where ${HAS_MEASURE})`;
}

/** Without this no time is too late. */
export const END_OF_TIME = '9999';

/** Of the deliveries `d`. */
export const JOIN_MEASURED_FROM = sql`left join measured_from as f on f.lesson_id = d.lesson_id`;
export const IS_COUNTED = sql`(f.from_at is null or d.delivered_at > f.from_at)`;
