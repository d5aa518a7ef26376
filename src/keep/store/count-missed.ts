/** Failures that an active lesson was there for and nobody warned of, by the reason. Most frequent first. */
import { type Kysely, sql } from 'kysely';
import type { MissCount } from '../../base/delivery-counts.ts';
import type { DeliveryQuery } from '../../base/delivery-query.ts';
import { and } from './count-history.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { listAllIds } from './list-aliases.ts';

export async function countMissed(
  db: Kysely<DatabaseSchema>,
  { agent, projectIds, lessonId, sessionId, since }: DeliveryQuery,
): Promise<readonly MissCount[]> {
  const ids = projectIds === undefined ? [] : await listAllIds(db, projectIds);
  const isThere = ids.length === 0 ? sql`1 = 0` : sql`m.project_id in (${sql.join(ids)})`;
  const { rows } = await sql<{ reason: MissCount['reason']; count: number | string }>`
    select m.reason, count(*) as count from missed_opportunities as m
    where ${and([
      sql`m.missed_at is not null`,
      ...(agent === undefined ? [] : [sql`m.agent = ${agent}`]),
      ...(projectIds === undefined ? [] : [isThere]),
      ...(lessonId === undefined ? [] : [sql`m.lesson_id = ${lessonId}`]),
      ...(sessionId === undefined ? [] : [sql`m.session_id = ${sessionId}`]),
      ...(since === undefined ? [] : [sql`m.missed_at >= ${since}`]),
    ])}
    group by m.reason order by count(*) desc, m.reason
  `.execute(db);
  return rows.map(({ reason, count }) => ({ reason, count: Number(count) }));
}
