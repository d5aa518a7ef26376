/** The failures that came back most often, by their form. */
import { type Kysely, sql } from 'kysely';
import type { HistoryFilter, SignatureCount } from '../../base/history.ts';
import { BY_AGENT } from './by-agent.ts';
import { and, toConditions } from './count-history.ts';
import type { DatabaseSchema } from './database-schema.ts';

export async function listTopSignatures(
  db: Kysely<DatabaseSchema>,
  filter: HistoryFilter & { readonly limit: number },
): Promise<readonly SignatureCount[]> {
  const conditions = [sql`signature_id is not null`, sql`outcome = 'failure'`, BY_AGENT];
  const isOfModel = sql`exists (select 1 from sessions as x
    where x.agent = tool_outcomes.agent and x.session_id = tool_outcomes.session_id and x.model = ${filter.model})`;
  const all = [...conditions, ...(await toConditions(db, filter)), ...(filter.model === undefined ? [] : [isOfModel])];
  const { rows } = await sql<SignatureCount>`
    select c.signature_id as "signature", s.program, coalesce(c.message, s.template) as "message",
      c.count, c.masked, c.sessions, c.last
    from (
      select signature_id, min(message) as message, count(*) as count, sum(masked) as masked,
        count(distinct agent || ' ' || session_id) as sessions, max(occurred_at) as last
      from tool_outcomes
      where ${and(all)}
      group by signature_id
    ) as c
    join signatures as s on s.id = c.signature_id
    order by c.count desc, c.last desc, c.signature_id
    limit ${filter.limit}
  `.execute(db);
  return rows.map((row) => ({ ...row }));
}
