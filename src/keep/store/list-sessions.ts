/** Sessions with the number of their calls, newest first. */
import { type Kysely, sql } from 'kysely';
import type { CallCounts, SessionFilter, SessionSummary } from '../../base/history.ts';
import { BY_AGENT } from './by-agent.ts';
import type { DatabaseSchema, SessionRow } from './database-schema.ts';
import { listAllIds } from './list-aliases.ts';
import { toSession } from './make-session-store.ts';
import { toChunks } from './to-chunks.ts';

const NO_CALLS: CallCounts = { calls: 0, failures: 0, masked: 0, denied: 0, cancelled: 0 };

export async function listSessions(
  db: Kysely<DatabaseSchema>,
  filter: SessionFilter,
): Promise<readonly SessionSummary[]> {
  const projectIds = filter.projectIds && (await listAllIds(db, filter.projectIds));
  const query = selectSessions(db, { ...filter, ...(projectIds === undefined ? {} : { projectIds }) });
  const rows = await query.orderBy('last_seen_at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute();
  const counts = await countCalls(db, rows);
  return rows.map((row) => ({ ...toSession(row), ...(counts.get(toKey(row)) ?? NO_CALLS) }));
}

function selectSessions(db: Kysely<DatabaseSchema>, filter: SessionFilter) {
  const { agent, sessionId, idPrefix, parent, projectIds } = filter;
  let query = db.selectFrom('sessions').selectAll();
  if (agent !== undefined) query = query.where('agent', '=', agent);
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
  // Not LIKE: an id may have its signs, and one engine ignores case.
  if (idPrefix !== undefined)
    query = query.where(sql<boolean>`substr(session_id, 1, ${sql.lit([...idPrefix].length)}) = ${idPrefix}`);
  if (parent !== undefined)
    query = query.where('agent', '=', parent.agent).where('parent_session_id', '=', parent.sessionId);
  if (projectIds !== undefined) query = query.where('project_id', 'in', projectIds);
  return query;
}

async function countCalls(
  db: Kysely<DatabaseSchema>,
  sessions: readonly SessionRow[],
): Promise<ReadonlyMap<string, CallCounts>> {
  const counts = new Map<string, CallCounts>();
  for (const chunk of toChunks(sessions)) {
    const keys = sql.join(chunk.map((row) => sql`(${row.agent}, ${row.session_id})`));
    const { rows } = await sql<CallCounts & { agent: string; session_id: string }>`
      select agent, session_id, count(*) as calls,
        sum(case when outcome = 'failure' and masked = 0 then 1 else 0 end) as failures,
        sum(case when outcome = 'failure' and masked = 1 then 1 else 0 end) as masked,
        sum(case when outcome = 'denied' then 1 else 0 end) as denied,
        sum(case when outcome = 'cancelled' then 1 else 0 end) as cancelled
      from tool_outcomes
      where (agent, session_id) in (values ${keys}) and ${BY_AGENT}
      group by agent, session_id
    `.execute(db);
    for (const { agent, session_id, ...numbers } of rows) counts.set(toKey({ agent, session_id }), numbers);
  }
  return counts;
}

function toKey({ agent, session_id }: Pick<SessionRow, 'agent' | 'session_id'>): string {
  return `${agent}\n${session_id}`;
}
