/** What was said about lessons, counted. About an agent or a project only what was said of a delivery there. */
import { type Kysely, sql } from 'kysely';
import type { FeedbackCount } from '../../base/delivery-counts.ts';
import type { DeliveryQuery } from '../../base/delivery-query.ts';
import { and } from './count-history.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { selectPlaced } from './select-placed.ts';

export async function countFeedback(
  db: Kysely<DatabaseSchema>,
  { lessonId, since, ...place }: DeliveryQuery,
  except: readonly string[] = [],
): Promise<readonly FeedbackCount[]> {
  const isPlaced = Object.keys(place).length > 0;
  const { rows } = await sql<Omit<FeedbackCount, 'count'> & { readonly count: number | string }>`
    select f.source as "from", f.verdict, count(*) as count from feedback as f
    where ${and([
      ...(lessonId === undefined ? [] : [sql`f.lesson_id = ${lessonId}`]),
      ...(since === undefined ? [] : [sql`f.said_at >= ${since}`]),
      ...(except.length === 0 ? [] : [sql`f.id not in (${sql.join(except)})`]),
      ...(isPlaced ? [sql`f.delivery_id in (select d.id from ${await selectPlaced(db, place)} as d)`] : []),
    ])}
    group by f.source, f.verdict order by f.source desc, f.verdict
  `.execute(db);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
