/** Deliveries and their verdicts. */
import type { Kysely, Transaction } from 'kysely';
import type { Delivery, TrackRecord } from '../../base/delivery.ts';
import type { DeliveryFilter, Store } from '../../base/store.ts';
import type { DatabaseSchema, DeliveryRow } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { findDocument, LEARNING, toLesson } from './make-lesson-store.ts';
import { omitNull } from './omit-null.ts';
import { toTime } from './to-time.ts';

type DeliveryMethods = 'saveDelivery' | 'listDeliveries' | 'judgeDelivery' | 'listTrackRecords';

export function makeDeliveryStore(engine: Engine): Pick<Store, DeliveryMethods> {
  const { db } = engine;
  return {
    async saveDelivery(delivery) {
      await db.transaction().execute(async (trx) => {
        await engine.lock(trx, 'lesson', [delivery.lessonId, LEARNING]);
        const insert = trx.insertInto('deliveries').values(toRow(delivery));
        const { numInsertedOrUpdatedRows } = await insert
          .onConflict((oc) => oc.column('id').doNothing())
          .executeTakeFirst();
        if ((numInsertedOrUpdatedRows ?? 0n) > 0n) await noteMatch(trx, delivery);
      });
    },
    async listDeliveries(filter) {
      const rows = await selectRows(db, filter).orderBy('delivered_at').orderBy('id').execute();
      return rows.map(toDelivery);
    },
    judgeDelivery(id, outcome, at) {
      return db.transaction().execute(async (trx) => {
        const update = trx.updateTable('deliveries').set({ outcome, outcome_at: at });
        const { numUpdatedRows } = await update.where('id', '=', id).where('outcome', 'is', null).executeTakeFirst();
        return numUpdatedRows > 0n;
      });
    },
    async listTrackRecords() {
      const rows = await countVerdicts(db).execute();
      return [...Map.groupBy(rows, (row) => row.lesson_id)].map(([lessonId, verdicts]) => toRecord(lessonId, verdicts));
    },
  };
}

/** No change of the lesson that anybody would want to see in its history, or undo. */
async function noteMatch(trx: Transaction<DatabaseSchema>, delivery: Delivery): Promise<void> {
  const { kind, lessonId, deliveredAt } = delivery;
  // Told at a session's start it met no call: that must not keep a lesson from growing old.
  if (kind === 'session-start') return;
  const document = await findDocument(trx, 'id', lessonId);
  if (document === undefined) return;
  const lesson = toLesson(document);
  const lastMatchedAt = toTime(deliveredAt);
  if ((lesson.lastMatchedAt ?? '') >= lastMatchedAt) return;
  const matched = JSON.stringify({ ...lesson, lastMatchedAt });
  await trx.updateTable('lessons').set({ document: matched }).where('id', '=', lessonId).execute();
}

function selectRows(db: Kysely<DatabaseSchema>, { agent, sessionId, lessonId, open }: DeliveryFilter) {
  let query = db.selectFrom('deliveries').selectAll();
  if (agent !== undefined) query = query.where('agent', '=', agent);
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
  if (lessonId !== undefined) query = query.where('lesson_id', '=', lessonId);
  if (open !== undefined) query = query.where('outcome', open ? 'is' : 'is not', null);
  return query;
}

/** Withheld ones say nothing about what the lesson did, those at a session's start nothing about a call. */
function countVerdicts(db: Kysely<DatabaseSchema>) {
  return db
    .selectFrom('deliveries')
    .select(({ fn }) => ['lesson_id', 'outcome', fn.countAll().as('count'), fn.max('outcome_at').as('last_at')])
    .where('outcome', 'in', ['clean', 'ignored', 'failed_anyway'])
    .where('arm', '=', 'shown')
    .where('kind', '=', 'call')
    .groupBy(['lesson_id', 'outcome'])
    .orderBy('lesson_id');
}

interface Verdicts {
  readonly outcome: string | null;
  readonly count: number | string | bigint;
  readonly last_at: string | null;
}

function toRecord(lessonId: string, verdicts: readonly Verdicts[]): TrackRecord {
  const good = verdicts.filter(({ outcome }) => outcome === 'clean');
  const bad = verdicts.filter(({ outcome }) => outcome !== 'clean');
  const sum = (some: readonly Verdicts[]): number => some.reduce((all, { count }) => all + Number(count), 0);
  const last = (some: readonly Verdicts[]): string | null =>
    some.reduce((at: string | null, { last_at }) => (at === null || (last_at ?? '') > at ? last_at : at), null);
  const clean = sum(good);
  return omitNull({
    lessonId,
    judged: clean + sum(bad),
    clean,
    lastCleanAt: last(good),
    lastFailedAt: last(bad),
  });
}

function toRow(delivery: Delivery): DeliveryRow {
  return {
    id: delivery.id,
    kind: delivery.kind,
    lesson_id: delivery.lessonId,
    agent: delivery.agent,
    session_id: delivery.sessionId,
    context_id: delivery.contextId,
    call_id: delivery.callId,
    mode: delivery.mode,
    arm: delivery.arm,
    score: delivery.score,
    bytes: delivery.bytes,
    latency_us: delivery.latencyUs,
    delivered_at: toTime(delivery.deliveredAt),
    acknowledged_at: null,
    outcome: delivery.outcome ?? null,
    outcome_at: delivery.outcomeAt ?? null,
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  return omitNull({
    id: row.id,
    kind: row.kind,
    lessonId: row.lesson_id,
    agent: row.agent,
    sessionId: row.session_id,
    contextId: row.context_id,
    callId: row.call_id,
    mode: row.mode,
    arm: row.arm,
    score: row.score,
    bytes: row.bytes,
    latencyUs: row.latency_us,
    deliveredAt: row.delivered_at,
    outcome: row.outcome,
    outcomeAt: row.outcome_at,
  });
}
