/**
 * Saves sessions, merged from the facts of each report, and lists them with their call counts. Also stores how far the
 * transcript of each was read.
 */

import { sql } from 'kysely';
import type { Store } from '../../base/contracts/store.ts';
import type { Session } from '../../base/model/session.ts';
import type { CallCounts } from '../../base/statistics/history.ts';
import { OUTCOME_COUNTS } from './calls/call-counts.ts';
import { toCondition } from './conditions.ts';
import {
  type Database,
  type ReportedSessionColumns,
  type SessionRow,
  type StoreTransaction,
  scanStateColumns,
  sessionColumns,
} from './database-schema.ts';
import type { Engine } from './engines/engine.ts';
import { type IdSequence, omitNull, toTime } from './row-values.ts';
import { toChunks, upsertAll } from './statements.ts';

export function makeSessionStore(engine: Engine, ids: IdSequence) {
  const { db } = engine;
  return {
    saveSessions: (sessions) => saveSessions(engine, ids, sessions),
    async findSession(agent, sessionId) {
      const query = db.selectFrom('sessions').selectAll();
      const row = await query.where('agent', '=', agent).where('session_id', '=', sessionId).executeTakeFirst();
      return row && sessionColumns.toFields(row);
    },
    async listSessions(filter) {
      const { parent, limit } = filter;
      const columns = {
        agent: 'agent',
        sessionId: 'session_id',
        idPrefix: 'session_id',
        projectIds: 'project_id',
        model: 'model',
        since: 'last_seen_at',
        until: 'started_at',
      };
      let query = db
        .selectFrom('sessions')
        .selectAll()
        .where(await toCondition(db, filter, columns));
      if (parent !== undefined)
        query = query.where('agent', '=', parent.agent).where('parent_session_id', '=', parent.sessionId);
      const rows = await query.orderBy('last_seen_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      const counts = await countCalls(db, rows);
      return rows.map((row) => ({ ...sessionColumns.toFields(row), ...(counts.get(toKey(row)) ?? NO_CALLS) }));
    },
    async listScanStates(paths) {
      const all = db.selectFrom('scan_state').selectAll();
      const rows = await (paths === undefined ? all : all.where('path', 'in', paths)).execute();
      return rows.map((row) => ({
        ...scanStateColumns.toFields(row),
        ...(row.is_open === 0 ? {} : { isOpen: true as const }),
      }));
    },
    async saveScanStates(states) {
      if (states.length === 0) return;
      const rows = states.map((state) => ({
        ...scanStateColumns.toRow(state),
        is_open: Number(state.isOpen === true),
      }));
      await db.transaction().execute((trx) => upsertAll(engine, trx, { table: 'scan_state', key: ['path'] }, rows));
    },
  } satisfies Partial<Store>;
}

const KEY = ['agent', 'session_id'];

async function saveSessions(engine: Engine, ids: IdSequence, sessions: readonly Session[]): Promise<void> {
  if (sessions.length === 0) return;
  const reported = sessions.map((session) =>
    sessionColumns.toRow({
      ...session,
      startedAt: toTime(session.startedAt),
      lastSeenAt: toTime(session.lastSeenAt),
    }),
  );
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
  reported: readonly ReportedSessionColumns[],
): Promise<readonly SessionRow[]> {
  const keys = reported.map(({ agent, session_id }) => [agent, session_id]);
  const { rows } = await sql<SessionRow>`
    select s.* from ${toTable(keys)} as given cross join sessions as s
    where s.agent = given.value ->> 0 and s.session_id = given.value ->> 1
  `.execute(trx);
  return rows;
}

function toKey({ agent, session_id }: Pick<SessionRow, 'agent' | 'session_id'>): string {
  return `${agent} ${session_id}`;
}

function isSame(known: SessionRow | undefined, row: SessionRow): boolean {
  return (
    known !== undefined && (Object.keys(row) as (keyof SessionRow)[]).every((column) => known[column] === row[column])
  );
}

function merge(known: SessionRow, reported: ReportedSessionColumns): SessionRow {
  return {
    ...known,
    ...omitNull(reported),
    ...toBeginning(known, reported),
    started_at: reported.started_at < known.started_at ? reported.started_at : known.started_at,
    last_seen_at: reported.last_seen_at > known.last_seen_at ? reported.last_seen_at : known.last_seen_at,
    ended_at: known.ended_at ?? reported.ended_at,
    end_reason: known.ended_at === null ? (reported.end_reason ?? known.end_reason) : known.end_reason,
  };
}

/**
 * A session belongs to the folder in which it began, wherever it went later: the earliest report of a folder wins, in
 * any order. A second report of the same start may know more about its project.
 */
function toBeginning(known: SessionRow, reported: ReportedSessionColumns): Pick<SessionRow, 'cwd' | 'project_id'> {
  const isAgain = reported.cwd === known.cwd && reported.started_at <= known.started_at;
  const isEarlier = reported.cwd !== null && (known.cwd === null || reported.started_at < known.started_at || isAgain);
  const { cwd, project_id } = isEarlier ? reported : known;
  return { cwd, project_id };
}

const NO_CALLS: CallCounts = { calls: 0, failures: 0, masked: 0, denied: 0, cancelled: 0 };

async function countCalls(db: Database, sessions: readonly SessionRow[]): Promise<ReadonlyMap<string, CallCounts>> {
  const counts = new Map<string, CallCounts>();
  for (const chunk of toChunks(sessions)) {
    const keys = sql.join(chunk.map((row) => sql`(${row.agent}, ${row.session_id})`));
    const { rows } = await sql<CallCounts & { agent: string; session_id: string }>`
      select agent, session_id, ${OUTCOME_COUNTS}
      from tool_outcomes
      where (agent, session_id) in (values ${keys})
      group by agent, session_id
    `.execute(db);
    for (const { agent, session_id, ...numbers } of rows) counts.set(toKey({ agent, session_id }), numbers);
  }
  return counts;
}
