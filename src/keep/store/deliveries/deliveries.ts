/** Saves and lists deliveries, merges later attempts into them, and updates the verdict that follows from them. */

import { sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import {
  type Attempt,
  type AttemptRule,
  type AttemptSummary,
  type Delivery,
  type DeliveryItems,
  mergeAttempts,
  type StoredDelivery,
  sumAttempts,
  type TrackRecord,
} from '../../../base/model/delivery.ts';
import { dropAbsent } from '../../../base/records.ts';
import { toCondition } from '../conditions.ts';
import { type DeliveryRow, deliveryColumns, type StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { findDocument, LEARNING_LOCK, toLesson } from '../lessons/lessons.ts';
import { omitNull, toTime } from '../row-values.ts';
import { dropMissed } from './misses.ts';
import { END_OF_TIME, IS_COUNTED, IS_JUDGED, JOIN_MEASURED_FROM, selectMeasuredFrom } from './trials.ts';

export function makeDeliveryStore(engine: Engine) {
  const { db } = engine;
  return {
    async saveDelivery(delivery) {
      await db.transaction().execute(async (trx) => {
        await engine.lock(trx, 'lesson', [delivery.lessonId, LEARNING_LOCK]);
        const insert = trx.insertInto('deliveries').values({
          ...deliveryColumns.toRow(delivery),
          delivered_at: toTime(delivery.deliveredAt),
        });
        const { numInsertedOrUpdatedRows } = await insert
          .onConflict((oc) => oc.column('id').doNothing())
          .executeTakeFirst();
        if ((numInsertedOrUpdatedRows ?? 0n) === 0n) return;
        await noteMatch(trx, delivery);
        await dropMissed(trx, delivery);
      });
    },
    async listDeliveries(filter) {
      const { sessions, open } = filter;
      const columns = { agent: 'agent', sessionId: 'session_id', lessonId: 'lesson_id' };
      let query = db
        .selectFrom('deliveries')
        .selectAll()
        .where(await toCondition(db, filter, columns));
      if (sessions !== undefined) {
        const given = engine.toTable(sessions.map((one) => [one.agent, one.sessionId]));
        query = query.where(sql<boolean>`(agent, session_id) in (select value ->> 0, value ->> 1 from ${given})`);
      }
      if (open !== undefined) query = query.where('outcome', open ? 'is' : 'is not', null);
      const rows = await query.orderBy('delivered_at').orderBy('id').execute();
      return rows.map(toDelivery);
    },
    async noteNoRoom({ agent, sessionId, callId }, lessons) {
      await db
        .updateTable('deliveries')
        .set({ no_room: lessons })
        .where('agent', '=', agent)
        .where('session_id', '=', sessionId)
        .where('call_id', '=', callId)
        .execute();
    },
    saveAttempts: (id, attempts, how) =>
      db.transaction().execute((trx) => saveAttempts(engine, trx, id, attempts, how)),
    judgeDelivery(id, outcome, at, came) {
      const noted = came === undefined ? {} : { again: Number(came.again), failed: Number(came.failed) };
      return db.transaction().execute(async (trx) => {
        const update = trx.updateTable('deliveries').set({ outcome, outcome_at: toTime(at), ...noted });
        const isOpen = outcome === 'incomplete' ? sql<boolean>`outcome is null` : UNSETTLED;
        const { numUpdatedRows } = await update.where('id', '=', id).where(isOpen).executeTakeFirst();
        return numUpdatedRows > 0n;
      });
    },
    async saveDeliveryItems(id, items) {
      await db
        .updateTable('deliveries')
        .set({ items: JSON.stringify(items) })
        .where('id', '=', id)
        .execute();
    },
    closeDeliveries(silentBefore, at) {
      return db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('missed_opportunities')
          .where('missed_at', 'is', null)
          .where('told_at', '<', silentBefore)
          .execute();
        const { numUpdatedRows } = await trx
          .updateTable('deliveries')
          .set({ outcome: 'incomplete', outcome_at: toTime(at) })
          .where('outcome', 'is', null)
          .where(isOver(silentBefore))
          .executeTakeFirst();
        return Number(numUpdatedRows);
      });
    },
    async listTrackRecords(until = END_OF_TIME) {
      // Withheld deliveries do not show the lesson's effect, and those at the start of a session are about no call.
      const { rows } = await sql<Verdicts>`with ${selectMeasuredFrom(db)}
        select d.lesson_id, d.outcome, count(*) as count, max(d.outcome_at) as last_at
        from deliveries as d ${JOIN_MEASURED_FROM}
        where ${IS_JUDGED} and d.arm = 'shown' and d.kind = 'call' and ${IS_COUNTED} and d.outcome_at <= ${until}
        group by d.lesson_id, d.outcome order by d.lesson_id`.execute(db);
      return [...Map.groupBy(rows, (row) => row.lesson_id)].map(([lessonId, verdicts]) => toRecord(lessonId, verdicts));
    },
  } satisfies Partial<Store>;
}

/** Later reports may still judge a delivery that seemed incomplete. */
const UNSETTLED = sql<boolean>`(outcome is null or outcome = 'incomplete')`;

/** The session has ended, or has sent nothing since. */
function isOver(silentBefore: string) {
  const isMine = sql`s.agent = deliveries.agent and s.session_id = deliveries.session_id`;
  return sql<boolean>`(
    (delivered_at < ${silentBefore}
      and not exists (select 1 from sessions as s where ${isMine} and s.last_seen_at >= ${silentBefore}))
    or exists (select 1 from sessions as s where ${isMine} and s.ended_at >= deliveries.delivered_at))`;
}

/** Not recorded in the lesson's history, because nobody would want to see or undo it. */
async function noteMatch(trx: StoreTransaction, delivery: Delivery): Promise<void> {
  const { kind, lessonId, deliveredAt } = delivery;
  // At the start of a session the lesson matched no call, which must not keep an unused lesson from expiring.
  if (kind === 'session-start') return;
  const document = await findDocument(trx, 'id', lessonId);
  if (document === undefined) return;
  const lesson = toLesson(document);
  const lastMatchedAt = toTime(deliveredAt);
  if ((lesson.lastMatchedAt ?? '') >= lastMatchedAt) return;
  const matched = JSON.stringify({ ...lesson, lastMatchedAt });
  await trx.updateTable('lessons').set({ document: matched }).where('id', '=', lessonId).execute();
}

interface Verdicts {
  readonly lesson_id: string;
  readonly outcome: string | null;
  readonly count: number;
  readonly last_at: string | null;
}

function toRecord(lessonId: string, verdicts: readonly Verdicts[]): TrackRecord {
  const good = verdicts.filter(({ outcome }) => outcome === 'clean');
  const bad = verdicts.filter(({ outcome }) => outcome !== 'clean');
  const sum = (some: readonly Verdicts[]): number => some.reduce((all, { count }) => all + count, 0);
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

export function toDelivery(row: DeliveryRow): StoredDelivery {
  const items = row.items === null ? undefined : (JSON.parse(row.items) as DeliveryItems);
  return { ...deliveryColumns.toFields(row), ...dropAbsent({ items }) };
}

/** The result of judging a delivery again with later attempts; `before` is absent for the first attempts. */
interface Rejudged {
  readonly before?: AttemptSummary;
  readonly after: AttemptSummary;
}

/** Undefined if the delivery is unknown, has no attempts yet, or was judged before attempts were stored. */
async function saveAttempts(
  engine: Engine,
  trx: StoreTransaction,
  id: string,
  added: readonly Attempt[],
  { rule, now }: { readonly rule: AttemptRule; readonly now?: string },
): Promise<Rejudged | undefined> {
  const find = () => trx.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
  const known = await find();
  if (known === undefined) return undefined;
  await engine.lock(trx, 'lesson', [known.lesson_id]);
  const row = await find();
  if (row === undefined || isOldVerdict(row)) return undefined;
  const old: readonly Attempt[] = row.attempts === null ? [] : JSON.parse(row.attempts);
  const attempts = mergeAttempts(old, added);
  const [before, after] = [sumAttempts(old, rule), sumAttempts(attempts, rule)];
  if (after === undefined) return undefined;
  const figures = await toFigures(trx, row, toPast(after, now));
  await trx
    .updateTable('deliveries')
    .set({ attempts: JSON.stringify(attempts), ...figures })
    .where('id', '=', id)
    .execute();
  return { ...dropAbsent({ before }), after };
}

/** A verdict with a future time, from a wrong clock, would not count until then. */
function toPast(summary: AttemptSummary, now: string | undefined): AttemptSummary {
  return now === undefined || summary.outcomeAt <= now ? summary : { ...summary, outcomeAt: now };
}

/** The attempts behind this verdict were not stored, so later attempts alone must not change it. */
function isOldVerdict({ attempts, outcome }: DeliveryRow): boolean {
  return attempts === null && outcome !== null && outcome !== 'incomplete';
}

async function toFigures(trx: StoreTransaction, row: DeliveryRow, after: AttemptSummary) {
  const { outcome, outcomeAt, again, failed, failingAttempts, successAt } = after;
  const judged = { outcome, outcome_at: outcomeAt, again: Number(again), failed: Number(failed) };
  const figures = { ...judged, failing_attempts: failingAttempts, success_at: successAt ?? null };
  if (successAt === undefined)
    return { ...figures, calls_to_success: null, seconds_to_success: null, tokens_to_success: null };
  const tookMs = Date.parse(successAt) - Date.parse(row.delivered_at);
  const { calls, tokens } = await sumCalls(trx, row, successAt);
  return {
    ...figures,
    calls_to_success: Math.max(calls, after.attemptsToSuccess ?? 0),
    seconds_to_success: Math.max(0, tookMs) / 1000,
    tokens_to_success: tokens,
  };
}

/** All calls of the context after the delivery's own up to the success, inclusive. Cached tokens do not count. */
function sumCalls(
  trx: StoreTransaction,
  { agent, session_id, context_id, call_id, delivered_at }: DeliveryRow,
  successAt: string,
): Promise<{ readonly calls: number; readonly tokens: number | null }> {
  return trx
    .selectFrom('tool_outcomes')
    .select((eb) => eb.fn.countAll<number>().as('calls'))
    .select(sql<number | null>`sum(tokens_input + tokens_output)`.as('tokens'))
    .where('agent', '=', agent)
    .where('session_id', '=', session_id)
    .where('context_id', '=', context_id)
    .where('call_id', '!=', call_id)
    .where('occurred_at', '>=', delivered_at)
    .where('occurred_at', '<=', successAt)
    .executeTakeFirstOrThrow();
}
