/**
 * Stores and counts missed opportunities: failures that an active lesson did not warn of. Several sources report a
 * call, in any order: a stored reason for the silence explains the miss, and a delivery that is reported later removes
 * it.
 */

import { sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import type { Delivery, SkipReason } from '../../../base/model/delivery.ts';
import type { MissCount } from '../../../base/statistics/delivery-counts.ts';
import { toCondition } from '../conditions.ts';
import { missedColumns, type StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { toTime } from '../row-values.ts';
import { upsertAll } from '../statements.ts';

const TABLE = { table: 'missed_opportunities', key: ['agent', 'session_id', 'call_id', 'lesson_id'] } as const;
const IS_MISSED = sql`missed_at is not null`;

export function makeMissStore(engine: Engine) {
  const { db } = engine;
  return {
    async saveSkipped(skipped) {
      if (skipped.length === 0) return;
      const rows = skipped.map((one) => ({
        ...missedColumns.toRow(one),
        ...{ project_id: null, told_at: toTime(one.at), missed_at: null },
      }));
      const how = { ...TABLE, update: ['reason'] };
      await db.transaction().execute((trx) => upsertAll(engine, trx, how, rows));
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
      return rows.map(({ call_id: callId, lesson_id: lessonId, reason }) => ({
        ...{ callId, lessonId, reason: reason as SkipReason },
      }));
    },
    async saveMissed(missed) {
      if (missed.length === 0) return;
      const rows = missed.map((one) => {
        const at = toTime(one.at);
        return { ...missedColumns.toRow(one), project_id: one.projectId, told_at: at, missed_at: at };
      });
      // A skip that is already stored has the better reason.
      const how = { ...TABLE, update: ['project_id', 'missed_at'] };
      await db.transaction().execute((trx) => upsertAll(engine, trx, how, rows));
    },
    async listMissed(filter = {}) {
      const columns = { agent: 'agent', lessonId: 'lesson_id', sessionId: 'session_id', projectId: 'project_id' };
      const rows = await db
        .selectFrom('missed_opportunities')
        .selectAll()
        .where(await toCondition(db, filter, { ...columns, since: 'missed_at' }, IS_MISSED))
        .orderBy('missed_at')
        .orderBy('call_id')
        .orderBy('lesson_id')
        .execute();
      return rows.map((row) => ({
        ...missedColumns.toFields(row),
        ...{ projectId: row.project_id ?? '', at: row.missed_at ?? row.told_at },
      }));
    },
    async countMissed(query) {
      const columns = { agent: 'agent', lessonId: 'lesson_id', sessionId: 'session_id', projectIds: 'project_id' };
      const { rows } = await sql<MissCount>`
        select reason, count(*) as count from missed_opportunities
        where ${await toCondition(db, query, { ...columns, since: 'missed_at' }, IS_MISSED)}
        group by reason order by count(*) desc, reason
      `.execute(db);
      return rows.map((row) => ({ ...row }));
    },
  } satisfies Partial<Store>;
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
