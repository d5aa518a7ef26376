/** Deliveries with the project they were made in and what became of their own call: the source of all that is counted of them. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DeliveryQuery } from '../../base/delivery-query.ts';
import { and } from './count-history.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { listAllIds } from './list-aliases.ts';

/** A sub-query with all columns of a delivery, and `project_id`, `call_outcome`, `call_signature`. */
export async function selectPlaced(db: Kysely<DatabaseSchema>, query: DeliveryQuery): Promise<RawBuilder<unknown>> {
  return sql`(
    select d.*, coalesce(a.into_id, t.project_id, x.project_id) as project_id, t.outcome as call_outcome,
      t.signature_id as call_signature
    from deliveries as d
    left join tool_outcomes as t on t.agent = d.agent and t.session_id = d.session_id and t.call_id = d.call_id
    left join sessions as x on x.agent = d.agent and x.session_id = d.session_id
    left join project_aliases as a on a.from_id = coalesce(t.project_id, x.project_id)
    where ${and(await toConditions(db, query))}
  )`;
}

async function toConditions(
  db: Kysely<DatabaseSchema>,
  { agent, projectIds, lessonId, sessionId, idPrefix, arm, since }: DeliveryQuery,
): Promise<readonly RawBuilder<unknown>[]> {
  const ids = projectIds === undefined ? [] : await listAllIds(db, projectIds);
  const isThere = ids.length === 0 ? sql`1 = 0` : sql`coalesce(t.project_id, x.project_id) in (${sql.join(ids)})`;
  return [
    ...(agent === undefined ? [] : [sql`d.agent = ${agent}`]),
    ...(projectIds === undefined ? [] : [isThere]),
    ...(lessonId === undefined ? [] : [sql`d.lesson_id = ${lessonId}`]),
    ...(sessionId === undefined ? [] : [sql`d.session_id = ${sessionId}`]),
    // Not LIKE: one engine ignores case.
    ...(idPrefix === undefined ? [] : [sql`substr(d.id, 1, ${sql.lit([...idPrefix].length)}) = ${idPrefix}`]),
    ...(arm === undefined ? [] : [sql`d.arm = ${arm}`]),
    ...(since === undefined ? [] : [sql`d.delivered_at >= ${since}`]),
  ];
}
