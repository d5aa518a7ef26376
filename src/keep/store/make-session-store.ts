/** Sessions, put together from whatever each telling knows. */
import { sql, type Transaction } from 'kysely';
import type { Session } from '../../base/session.ts';
import type { Store } from '../../base/store.ts';
import type { DatabaseSchema, SessionRow } from './database-schema.ts';
import type { Engine } from './engine.ts';
import type { IdSequence } from './id-sequence.ts';
import { omitNull } from './omit-null.ts';
import { toTime } from './to-time.ts';
import { upsertAll } from './upsert-rows.ts';

type ToldColumns = Omit<SessionRow, 'id' | 'created_at'>;

export function makeSessionStore(
  engine: Engine,
  ids: IdSequence,
): Pick<Store, 'saveSession' | 'saveSessions' | 'findSession'> {
  return {
    saveSession: (session) => saveSessions(engine, ids, [session]),
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
  const told = sessions.map(toToldColumns);
  const newIds = ids('ses', told.length);
  const now = new Date().toISOString();
  await engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'session', told.map(toKey));
    const known = new Map((await findRows(engine, trx, told)).map((row) => [toKey(row), row]));
    const rows = new Map<string, SessionRow>();
    for (const [i, one] of told.entries()) {
      const key = toKey(one);
      const old = rows.get(key) ?? known.get(key);
      rows.set(key, old === undefined ? { id: newIds[i] as string, ...one, created_at: now } : merge(old, one));
    }
    const changed = [...rows].filter(([key, row]) => !isSame(known.get(key), row)).map(([, row]) => row);
    const update = Object.keys(told[0] ?? {}).filter((column) => !KEY.includes(column));
    await upsertAll(engine, trx, { table: 'sessions', key: KEY, update }, changed);
  });
}

async function findRows(
  { toTable }: Engine,
  trx: Transaction<DatabaseSchema>,
  told: readonly ToldColumns[],
): Promise<readonly SessionRow[]> {
  const keys = told.map(({ agent, session_id }) => [agent, session_id]);
  const { rows } = await sql<SessionRow>`
    select s.* from ${toTable(keys)} as given cross join sessions as s
    where s.agent = given.value ->> 0 and s.session_id = given.value ->> 1
  `.execute(trx);
  return rows;
}

function toKey({ agent, session_id }: ToldColumns): string {
  return `${agent} ${session_id}`;
}

function isSame(known: SessionRow | undefined, row: SessionRow): boolean {
  return (
    known !== undefined && (Object.keys(row) as (keyof SessionRow)[]).every((column) => known[column] === row[column])
  );
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

/**
 * A session belongs where it began, wherever it walked: the earliest telling of a folder wins, in any order. The same
 * beginning told once more may know more of its project.
 */
function toBeginning(known: SessionRow, told: ToldColumns): Pick<SessionRow, 'cwd' | 'project_id'> {
  const isAgain = told.cwd === known.cwd && told.started_at <= known.started_at;
  const isTold = told.cwd !== null && (known.cwd === null || told.started_at < known.started_at || isAgain);
  const { cwd, project_id } = isTold ? told : known;
  return { cwd, project_id };
}

function earlier(a: string, b: string): string {
  return b < a ? b : a;
}

function later(a: string, b: string): string {
  return b > a ? b : a;
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
