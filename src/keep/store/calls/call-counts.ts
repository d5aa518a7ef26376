/**
 * Counts calls by session, project and day, the most frequent failures, and the totals of the whole store. The counts
 * are few rows, and every grouping is computed from them, so that all engines agree.
 */

import { type RawBuilder, sql } from 'kysely';
import type { Store, StoreCounts } from '../../../base/contracts/store.ts';
import type { HistoryCell, SignatureCount } from '../../../base/statistics/history.ts';
import { listOfModel, toCondition } from '../conditions.ts';
import type { Engine } from '../engines/engine.ts';
import { omitNull } from '../row-values.ts';
import { BY_AGENT } from '../statements.ts';

/** The columns of a call that a history filter is about; the model is that of the call's session. */
export const HISTORY_COLUMNS = {
  agent: 'agent',
  projectIds: 'project_id',
  since: 'occurred_at',
  until: 'occurred_at',
} as const;

export function makeHistoryStore({ db }: Engine) {
  return {
    async countHistory(filter) {
      // Counts first and joins then, because sessions are few compared with calls.
      const { rows } = await sql<Omit<HistoryCell, 'model'> & { readonly model: string | null }>`
        select c.agent, c.session_id as "sessionId", coalesce(a.into_id, c.project_id) as "projectId", x.model, c.day,
          c.calls, c.failures, c.masked, c.denied, c.cancelled, c."hookFailures", c.first, c.last
        from (
          select agent, session_id, project_id, substr(occurred_at, 1, 10) as day, ${CALL_COUNTS},
            min(occurred_at) as first, max(occurred_at) as last
          from tool_outcomes
          where ${await toCondition(db, filter, HISTORY_COLUMNS)}
          group by agent, session_id, project_id, substr(occurred_at, 1, 10)
        ) as c
        left join sessions as x on x.agent = c.agent and x.session_id = c.session_id
        left join project_aliases as a on a.from_id = c.project_id
        where ${await toCondition(db, filter, { model: 'x.model' })}
        order by c.day, c.agent, c.session_id, c.project_id
      `.execute(db);
      return rows.map((row) => omitNull({ ...row }));
    },
    async countSilentSessions(filter) {
      const columns = { agent: 'agent', projectIds: 'project_id', model: 'model', since: 'last_seen_at' };
      const isSilent = sql`not exists (
        select 1 from tool_outcomes as t where t.agent = sessions.agent and t.session_id = sessions.session_id)`;
      const found = await db
        .selectFrom('sessions')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where(await toCondition(db, filter, { ...columns, until: 'started_at' }, isSilent))
        .executeTakeFirst();
      return found?.n ?? 0;
    },
    async listTopSignatures(filter) {
      const isFailure = sql`signature_id is not null and outcome = 'failure' and ${BY_AGENT}`;
      const others = [isFailure, ...listOfModel('tool_outcomes', filter.model)];
      const { rows } = await sql<SignatureCount>`
        select c.signature_id as "signature", s.program, coalesce(c.message, s.template) as "message",
          c.count, c.masked, c.sessions, c.last
        from (
          select signature_id, min(message) as message, count(*) as count, sum(masked) as masked,
            count(distinct agent || ' ' || session_id) as sessions, max(occurred_at) as last
          from tool_outcomes
          where ${await toCondition(db, filter, HISTORY_COLUMNS, ...others)}
          group by signature_id
        ) as c
        join signatures as s on s.id = c.signature_id
        order by c.count desc, c.last desc, c.signature_id
        limit ${filter.limit}
      `.execute(db);
      return rows.map((row) => ({ ...row }));
    },
    /** In one statement, so that all counts refer to one moment; in one pass, because no index has outcomes. */
    async countAll() {
      const { rows } = await sql<StoreCounts>`
        select
          (select count(*) from projects where id not in (select from_id from project_aliases)) as "projects",
          (select count(*) from sessions) as "sessions",
          calls.calls, calls.failures, calls.masked, calls.cancelled, calls.denied, calls."hookFailures",
          (select count(*) from lessons where status = 'active') as "lessons",
          (select count(*) from lessons where status = 'draft') as "drafts",
          (select count(*) from deliveries) as "deliveries"
        from (select ${CALL_COUNTS} from tool_outcomes) as calls
      `.execute(db);
      return { ...(rows[0] as StoreCounts) };
    },
    async findNewestWrite() {
      const { rows } = await sql<{ at: string | null }>`
        select max(created_at) as "at" from tool_outcomes union all select max(changed_at) from lesson_history
      `.execute(db);
      return rows
        .flatMap(({ at }) => at ?? [])
        .toSorted()
        .at(-1);
    },
  } satisfies Partial<Store>;
}

function countIf(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`count(case when ${condition} then 1 end)`;
}

/** The counts of an agent's calls by outcome. */
export const OUTCOME_COUNTS = sql`${countIf(BY_AGENT)} as "calls",
  ${countIf(sql`${BY_AGENT} and outcome = 'failure' and masked = 0`)} as "failures",
  ${countIf(sql`${BY_AGENT} and outcome = 'failure' and masked = 1`)} as "masked",
  ${countIf(sql`${BY_AGENT} and outcome = 'denied'`)} as "denied",
  ${countIf(sql`${BY_AGENT} and outcome = 'cancelled'`)} as "cancelled"`;

/** These, and the failures of the user's hooks. */
const CALL_COUNTS = sql`${OUTCOME_COUNTS}, ${countIf(sql`not ${BY_AGENT} and outcome = 'failure'`)} as "hookFailures"`;
