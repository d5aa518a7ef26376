/**
 * Counts calls by session, project and day, and the totals of the whole store. The counts are few rows, and every
 * grouping is computed from them, so that all engines agree.
 */

import { type RawBuilder, sql } from 'kysely';
import type { StoreCounts } from '../../../base/contracts/store.ts';
import type { HistoryCell, HistoryFilter } from '../../../base/statistics/history.ts';
import type { Database } from '../database-schema.ts';
import { listAllIds } from '../project-aliases.ts';
import { omitNull } from '../row-values.ts';
import { BY_AGENT } from '../statements.ts';

type Row = Omit<HistoryCell, 'model'> & { readonly model: string | null };

export async function countHistory(db: Database, filter: HistoryFilter): Promise<readonly HistoryCell[]> {
  // Counts first and joins then, because sessions are few compared with calls.
  const { rows } = await sql<Row>`
    select c.agent, c.session_id as "sessionId", coalesce(a.into_id, c.project_id) as "projectId", x.model, c.day,
      c.calls, c.failures, c.masked, c.denied, c.cancelled, c.hook_failures as "hookFailures", c.first, c.last
    from (
      select agent, session_id, project_id, substr(occurred_at, 1, 10) as day,
        ${countIf(BY_AGENT)} as calls,
        ${countIf(sql`${BY_AGENT} and outcome = 'failure' and masked = 0`)} as failures,
        ${countIf(sql`${BY_AGENT} and outcome = 'failure' and masked = 1`)} as masked,
        ${countIf(sql`${BY_AGENT} and outcome = 'denied'`)} as denied,
        ${countIf(sql`${BY_AGENT} and outcome = 'cancelled'`)} as cancelled,
        ${countIf(sql`not ${BY_AGENT} and outcome = 'failure'`)} as hook_failures,
        min(occurred_at) as first, max(occurred_at) as last
      from tool_outcomes
      where ${joinConditions(await toConditions(db, filter))}
      group by agent, session_id, project_id, substr(occurred_at, 1, 10)
    ) as c
    left join sessions as x on x.agent = c.agent and x.session_id = c.session_id
    left join project_aliases as a on a.from_id = c.project_id
    where ${filter.model === undefined ? sql`1 = 1` : sql`x.model = ${filter.model}`}
    order by c.day, c.agent, c.session_id, c.project_id
  `.execute(db);
  return rows.map((row) => omitNull({ ...row }));
}

/** The number of sessions in the period without any call. */
export async function countSilentSessions(db: Database, filter: HistoryFilter): Promise<number> {
  const { agent, projectIds, model, since, until } = filter;
  const ids = projectIds === undefined ? undefined : await listAllIds(db, projectIds);
  let query = db.selectFrom('sessions as x').select((eb) => eb.fn.countAll<number>().as('n'));
  if (agent !== undefined) query = query.where('x.agent', '=', agent);
  if (ids !== undefined) query = query.where('x.project_id', 'in', ids);
  if (model !== undefined) query = query.where('x.model', '=', model);
  if (since !== undefined) query = query.where('x.last_seen_at', '>=', since);
  if (until !== undefined) query = query.where('x.started_at', '<', until);
  const isSilent = sql<boolean>`not exists (
    select 1 from tool_outcomes as t where t.agent = x.agent and t.session_id = x.session_id)`;
  const found = await query.where(isSilent).executeTakeFirst();
  return found?.n ?? 0;
}

/** Conditions on calls; the model is that of their session. */
export async function toConditions(
  db: Database,
  { agent, projectIds, since, until }: HistoryFilter,
): Promise<readonly RawBuilder<unknown>[]> {
  const ids = projectIds === undefined ? [] : await listAllIds(db, projectIds);
  return [
    ...(agent === undefined ? [] : [sql`agent = ${agent}`]),
    ...(projectIds === undefined ? [] : [ids.length === 0 ? sql`1 = 0` : sql`project_id in (${sql.join(ids)})`]),
    ...(since === undefined ? [] : [sql`occurred_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`occurred_at < ${until}`]),
  ];
}

export function joinConditions(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

function countIf(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`sum(case when ${condition} then 1 else 0 end)`;
}

/** All counts in one statement, so that they refer to one moment. */
export async function countAll(db: Database): Promise<StoreCounts> {
  const { rows } = await sql<StoreCounts>`
    select
      (select count(*) from projects where id not in (select from_id from project_aliases)) as "projects",
      (select count(*) from sessions) as "sessions",
      calls.*,
      (select count(*) from lessons where status = 'active') as "lessons",
      (select count(*) from lessons where status = 'draft') as "drafts",
      (select count(*) from deliveries) as "deliveries"
    from (${COUNT_CALLS}) as calls
  `.execute(db);
  return { ...(rows[0] as StoreCounts) };
}

/** One pass over all calls, because there is no index of outcomes. */
const COUNT_CALLS = sql`
  select
    count(case when ${BY_AGENT} then 1 end) as "calls",
    count(case when ${BY_AGENT} and outcome = 'failure' and masked = 0 then 1 end) as "failures",
    count(case when ${BY_AGENT} and outcome = 'failure' and masked = 1 then 1 end) as "masked",
    count(case when ${BY_AGENT} and outcome = 'cancelled' then 1 end) as "cancelled",
    count(case when ${BY_AGENT} and outcome = 'denied' then 1 end) as "denied",
    count(case when not ${BY_AGENT} and outcome = 'failure' then 1 end) as "hookFailures"
  from tool_outcomes
`;

export async function findNewestWrite(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select max(created_at) as "at" from tool_outcomes union all select max(changed_at) from lesson_history
  `.execute(db);
  return rows
    .flatMap(({ at }) => at ?? [])
    .toSorted()
    .at(-1);
}
