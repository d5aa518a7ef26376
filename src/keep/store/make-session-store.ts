/** Sessions, put together from whatever each telling knows. */

import type { Kysely } from 'kysely';
import type { Session } from '../../base/session.ts';
import type { Store } from '../../base/store.ts';
import type { DatabaseSchema, SessionRow } from './database-schema.ts';
import type { Engine } from './engine.ts';
import type { IdSequence } from './id-sequence.ts';
import { omitNull } from './omit-null.ts';
import { toTime } from './to-time.ts';

type ToldColumns = Omit<SessionRow, 'id'>;

export function makeSessionStore(engine: Engine, ids: IdSequence): Pick<Store, 'saveSession' | 'findSession'> {
  return {
    saveSession: (session) => saveSession(engine, ids, session),
    async findSession(agent, sessionId) {
      const row = await findRow(engine.db, agent, sessionId);
      return row && toSession(row);
    },
  };
}

function saveSession(engine: Engine, ids: IdSequence, session: Session): Promise<void> {
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'session', [`${session.agent} ${session.sessionId}`]);
    const known = await findRow(trx, session.agent, session.sessionId);
    const told = toToldColumns(session);
    if (known) await trx.updateTable('sessions').set(merge(known, told)).where('id', '=', known.id).execute();
    else
      await trx
        .insertInto('sessions')
        .values(ids('ses', 1).map((id) => ({ id, ...told })))
        .execute();
  });
}

function merge(known: SessionRow, told: ToldColumns): SessionRow {
  return {
    ...known,
    ...omitNull(told),
    ...toBeginning(known, told),
    started_at: earlier(known.started_at, told.started_at),
    last_seen_at: later(known.last_seen_at, told.last_seen_at),
    ended_at: known.ended_at ?? told.ended_at,
    end_reason: known.ended_at === null ? (told.end_reason ?? known.end_reason) : known.end_reason,
  };
}

/** A session belongs where it began, wherever it walked: the earliest telling of a folder wins, in any order. */
function toBeginning(known: SessionRow, told: ToldColumns): Pick<SessionRow, 'cwd' | 'project_id'> {
  const isTold = told.cwd !== null && (known.cwd === null || told.started_at < known.started_at);
  const { cwd, project_id } = isTold ? told : known;
  return { cwd, project_id };
}

function earlier(a: string, b: string): string {
  return [a, b].sort()[0] ?? a;
}

function later(a: string, b: string): string {
  return [a, b].sort()[1] ?? a;
}

function findRow(db: Kysely<DatabaseSchema>, agent: string, sessionId: string): Promise<SessionRow | undefined> {
  const query = db.selectFrom('sessions').selectAll();
  return query.where('agent', '=', agent).where('session_id', '=', sessionId).executeTakeFirst();
}

function toToldColumns(session: Session): ToldColumns {
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
