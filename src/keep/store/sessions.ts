/** Saves sessions, merged from the facts of each report, and lists them with their call counts. */

import { sql } from 'kysely';
import type { Store } from '../../base/contracts/store.ts';
import type { Session } from '../../base/model/session.ts';
import type { CallCounts, SessionFilter, SessionSummary } from '../../base/statistics/history.ts';
import type { Database, SessionRow, StoreTransaction } from './database-schema.ts';
import type { Engine } from './engines/engine.ts';
import { listAllIds } from './project-aliases.ts';
import { type IdSequence, omitNull, toTime } from './row-values.ts';
import { BY_AGENT, toChunks, upsertAll } from './statements.ts';

type ReportedColumns = Omit<SessionRow, 'id' | 'created_at'>;

export function makeSessionStore(engine: Engine, ids: IdSequence): Pick<Store, 'saveSessions' | 'findSession'> {
  return {
    saveSessions: (sessions) => saveSessions(engine, ids, sessions),
    async findSession(agent, sessionId) {
      const query = engine.db.selectFrom('sessions').selectAll();
      const row = await query.where('agent', '=', agent).where('session_id', '=', sessionId).executeTakeFirst();
      return row && toSession(row);
    },
  };
}

const KEY = ['agent', 'session_id'];

async function saveSessions(engine: Engine, ids: IdSequence, sessions: readonly Session[]): Promise<void> {
  if (sessions.length === 0) return;
  const reported = sessions.map(toReportedColumns);
  const newIds = ids('ses', reported.length);
  const now = new Date().toISOString();
  await engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'session', reported.map(toKey));
    const known = new Map((await findRows(engine, trx, reported)).map((row) => [toKey(row), row]));
    const rows = new Map<string, SessionRow>();
    for (const [i, one] of reported.entries()) {
      const key = toKey(one);
      const old = rows.get(key) ?? known.get(key);
      rows.set(key, old === undefined ? { id: newIds[i] as string, ...one, created_at: now } : merge(old, one));
    }
    const changed = [...rows].filter(([key, row]) => !isSame(known.get(key), row)).map(([, row]) => row);
    const update = Object.keys(reported[0] ?? {}).filter((column) => !KEY.includes(column));
    await upsertAll(engine, trx, { table: 'sessions', key: KEY, update }, changed);
  });
}

async function findRows(
  { toTable }: Engine,
  trx: StoreTransaction,
  reported: readonly ReportedColumns[],
): Promise<readonly SessionRow[]> {
  const keys = reported.map(({ agent, session_id }) => [agent, session_id]);
  const { rows } = await sql<SessionRow>`
    select s.* from ${toTable(keys)} as given cross join sessions as s
    where s.agent = given.value ->> 0 and s.session_id = given.value ->> 1
  `.execute(trx);
  return rows;
}

function toKey({ agent, session_id }: ReportedColumns): string {
  return `${agent} ${session_id}`;
}

function isSame(known: SessionRow | undefined, row: SessionRow): boolean {
  return (
    known !== undefined && (Object.keys(row) as (keyof SessionRow)[]).every((column) => known[column] === row[column])
  );
}

function merge(known: SessionRow, reported: ReportedColumns): SessionRow {
  return {
    ...known,
    ...omitNull(reported),
    ...toBeginning(known, reported),
    started_at: earlier(known.started_at, reported.started_at),
    last_seen_at: later(known.last_seen_at, reported.last_seen_at),
    ended_at: known.ended_at ?? reported.ended_at,
    end_reason: known.ended_at === null ? (reported.end_reason ?? known.end_reason) : known.end_reason,
  };
}

/**
 * A session belongs to the folder in which it began, wherever it went later: the earliest report of a folder wins, in
 * any order. A second report of the same start may know more about its project.
 */
function toBeginning(known: SessionRow, reported: ReportedColumns): Pick<SessionRow, 'cwd' | 'project_id'> {
  const isAgain = reported.cwd === known.cwd && reported.started_at <= known.started_at;
  const isEarlier = reported.cwd !== null && (known.cwd === null || reported.started_at < known.started_at || isAgain);
  const { cwd, project_id } = isEarlier ? reported : known;
  return { cwd, project_id };
}

function earlier(a: string, b: string): string {
  return b < a ? b : a;
}

function later(a: string, b: string): string {
  return b > a ? b : a;
}

function toReportedColumns(session: Session): ReportedColumns {
  return {
    agent: session.agent,
    session_id: session.sessionId,
    parent_session_id: session.parentSessionId ?? null,
    project_id: session.projectId,
    cwd: session.cwd ?? null,
    branch: session.branch ?? null,
    model: session.model ?? null,
    agent_version: session.agentVersion ?? null,
    started_at: toTime(session.startedAt),
    last_seen_at: toTime(session.lastSeenAt),
    ended_at: session.endedAt ?? null,
    end_reason: session.endReason ?? null,
    source: session.source,
    pid: session.pid ?? null,
    host: session.host ?? null,
  };
}

export function toSession(row: SessionRow): Session {
  return omitNull({
    agent: row.agent,
    sessionId: row.session_id,
    parentSessionId: row.parent_session_id,
    projectId: row.project_id,
    cwd: row.cwd,
    branch: row.branch,
    model: row.model,
    agentVersion: row.agent_version,
    startedAt: row.started_at,
    lastSeenAt: row.last_seen_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    source: row.source,
    pid: row.pid,
    host: row.host,
  });
}

const NO_CALLS: CallCounts = { calls: 0, failures: 0, masked: 0, denied: 0, cancelled: 0 };

/** Sessions with the number of their calls, newest first. */
export async function listSessions(db: Database, filter: SessionFilter): Promise<readonly SessionSummary[]> {
  const projectIds = filter.projectIds && (await listAllIds(db, filter.projectIds));
  const query = selectSessions(db, { ...filter, ...(projectIds === undefined ? {} : { projectIds }) });
  const rows = await query.orderBy('last_seen_at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute();
  const counts = await countCalls(db, rows);
  return rows.map((row) => ({ ...toSession(row), ...(counts.get(toSummaryKey(row)) ?? NO_CALLS) }));
}

function selectSessions(db: Database, filter: SessionFilter) {
  const { agent, sessionId, idPrefix, parent, projectIds } = filter;
  let query = db.selectFrom('sessions').selectAll();
  if (agent !== undefined) query = query.where('agent', '=', agent);
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
  // Not LIKE, because an id may contain its wildcards, and one engine ignores case.
  if (idPrefix !== undefined)
    query = query.where(sql<boolean>`substr(session_id, 1, ${sql.lit([...idPrefix].length)}) = ${idPrefix}`);
  if (parent !== undefined)
    query = query.where('agent', '=', parent.agent).where('parent_session_id', '=', parent.sessionId);
  if (projectIds !== undefined) query = query.where('project_id', 'in', projectIds);
  return query;
}

async function countCalls(db: Database, sessions: readonly SessionRow[]): Promise<ReadonlyMap<string, CallCounts>> {
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
    for (const { agent, session_id, ...numbers } of rows) counts.set(toSummaryKey({ agent, session_id }), numbers);
  }
  return counts;
}

function toSummaryKey({ agent, session_id }: Pick<SessionRow, 'agent' | 'session_id'>): string {
  return `${agent}\n${session_id}`;
}
