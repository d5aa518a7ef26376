/** All counts in one statement, so that they are of one moment. */
import { type Kysely, sql } from 'kysely';
import type { StoreCounts } from '../../base/store.ts';
import { BY_AGENT } from './by-agent.ts';
import type { DatabaseSchema } from './database-schema.ts';

export async function countAll(db: Kysely<DatabaseSchema>): Promise<StoreCounts> {
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

/** In one pass over all calls: there is no index of their outcomes. */
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

export async function findNewestWrite(db: Kysely<DatabaseSchema>): Promise<string | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select max(created_at) as "at" from tool_outcomes union all select max(changed_at) from lesson_history
  `.execute(db);
  return rows
    .flatMap(({ at }) => at ?? [])
    .toSorted()
    .at(-1);
}
