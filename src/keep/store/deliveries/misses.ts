/**
 * Stores and counts missed opportunities: failures that an active lesson did not warn of. Several sources report a
 * call, in any order: a stored reason for the silence explains the miss, and a delivery that is reported later removes
 * it.
 */

import { sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import type {
  Delivery,
  DeliveryQuery,
  MissedOpportunity,
  MissFilter,
  SkipReason,
} from '../../../base/model/delivery.ts';
import type { MissCount } from '../../../base/statistics/delivery-counts.ts';
import { joinConditions } from '../calls/call-counts.ts';
import type { Database, MissedRow, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../project-aliases.ts';
import { toTime } from '../row-values.ts';
import { fromExcluded } from '../statements.ts';

const KEY = ['agent', 'session_id', 'call_id', 'lesson_id'] as const;

type MissMethods = 'saveSkipped' | 'listSkipped' | 'saveMissed' | 'listMissed';

export function makeMissStore({ db }: Engine): Pick<Store, MissMethods> {
  return {
    async saveSkipped(skipped) {
      if (skipped.length === 0) return;
      const rows = skipped.map((one) => ({ ...toKeyColumns(one), reason: one.reason, told_at: toTime(one.at) }));
      await db
        .insertInto('missed_opportunities')
        .values(rows.map((row) => ({ ...row, project_id: null, missed_at: null })))
        .onConflict((oc) => oc.columns(KEY).doUpdateSet(fromExcluded(['reason'])))
        .execute();
    },
    async listSkipped({ agent, sessionId, callId }) {
      const all = db
        .selectFrom('missed_opportunities')
        .select(['call_id', 'lesson_id', 'reason'])
        .where('agent', '=', agent)
        .where('session_id', '=', sessionId)
        .where('missed_at', 'is', null);
      const some = callId === undefined ? all : all.where('call_id', '=', callId);
      const rows = await some.orderBy('call_id').orderBy('lesson_id').execute();
      return rows.map((row) => ({
        ...{ callId: row.call_id, lessonId: row.lesson_id },
        reason: row.reason as SkipReason,
      }));
    },
    async saveMissed(missed) {
      if (missed.length === 0) return;
      await db
        .insertInto('missed_opportunities')
        .values(missed.map(toRow))
        // A skip that is already stored has the better reason.
        .onConflict((oc) => oc.columns(KEY).doUpdateSet(fromExcluded(['project_id', 'missed_at'])))
        .execute();
    },
    listMissed: (filter = {}) => listMissed(db, filter),
  };
}

async function listMissed(db: Database, filter: MissFilter): Promise<readonly MissedOpportunity[]> {
  const { agent, lessonId, projectId, sessionId, since } = filter;
  let query = db.selectFrom('missed_opportunities').selectAll().where('missed_at', 'is not', null);
  if (agent !== undefined) query = query.where('agent', '=', agent);
  if (lessonId !== undefined) query = query.where('lesson_id', '=', lessonId);
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
  if (projectId !== undefined) query = query.where('project_id', 'in', await listAllIds(db, [projectId]));
  if (since !== undefined) query = query.where('missed_at', '>=', since);
  const rows = await query.orderBy('missed_at').orderBy('call_id').orderBy('lesson_id').execute();
  return rows.map(toMissed);
}

/** A quiet lesson was assumed to be followed and was not, so its miss counts in spite of other deliveries. */
const IS_AWAKE = sql`reason <> 'quiet'`;

/** The lesson was shown or withheld after all, so the failure was warned about, whatever other lessons exist. */
export async function dropMissed(trx: StoreTransaction, delivery: Delivery): Promise<void> {
  await trx
    .deleteFrom('missed_opportunities')
    .where('agent', '=', delivery.agent)
    .where('session_id', '=', delivery.sessionId)
    .where('context_id', '=', delivery.contextId)
    .where(
      sql<boolean>`(lesson_id = ${delivery.lessonId} or (${IS_AWAKE} and lesson_id in (${selectAlike(delivery.lessonId)})))`,
    )
    .where(sql<boolean>`coalesce(missed_at, told_at) >= ${toTime(delivery.deliveredAt)}`)
    .execute();
}

/** The lessons about the same failure. */
function selectAlike(lessonId: string) {
  return sql`select l.id from lessons as l join lessons as own on own.signature_id = l.signature_id where own.id = ${lessonId}`;
}

function toKeyColumns({
  agent,
  sessionId,
  contextId,
  callId,
  lessonId,
}: Pick<MissedOpportunity, 'agent' | 'sessionId' | 'contextId' | 'callId' | 'lessonId'>) {
  return { agent, session_id: sessionId, context_id: contextId, call_id: callId, lesson_id: lessonId };
}

function toRow(missed: MissedOpportunity): MissedRow {
  const at = toTime(missed.at);
  return {
    ...toKeyColumns(missed),
    project_id: missed.projectId,
    reason: missed.reason,
    told_at: at,
    missed_at: at,
  };
}

function toMissed(row: MissedRow): MissedOpportunity {
  return {
    agent: row.agent,
    sessionId: row.session_id,
    contextId: row.context_id,
    callId: row.call_id,
    projectId: row.project_id ?? '',
    lessonId: row.lesson_id,
    reason: row.reason,
    at: row.missed_at ?? row.told_at,
  };
}

/** Counts the failures without a warning in spite of an active lesson, by reason; most frequent first. */
export async function countMissed(
  db: Database,
  { agent, projectIds, lessonId, sessionId, since }: DeliveryQuery,
): Promise<readonly MissCount[]> {
  const ids = projectIds === undefined ? [] : await listAllIds(db, projectIds);
  const isThere = ids.length === 0 ? sql`1 = 0` : sql`m.project_id in (${sql.join(ids)})`;
  const { rows } = await sql<{ reason: MissCount['reason']; count: number | string }>`
    select m.reason, count(*) as count from missed_opportunities as m
    where ${joinConditions([
      sql`m.missed_at is not null`,
      ...(agent === undefined ? [] : [sql`m.agent = ${agent}`]),
      ...(projectIds === undefined ? [] : [isThere]),
      ...(lessonId === undefined ? [] : [sql`m.lesson_id = ${lessonId}`]),
      ...(sessionId === undefined ? [] : [sql`m.session_id = ${sessionId}`]),
      ...(since === undefined ? [] : [sql`m.missed_at >= ${since}`]),
    ])}
    group by m.reason order by count(*) desc, m.reason
  `.execute(db);
  return rows.map(({ reason, count }) => ({ reason, count: Number(count) }));
}
