/** Counts deliveries for `stats`: verdicts, latency, recurrences, feedback, and added texts in bytes. */

import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import { toCureId } from '../../../base/model/cure.ts';
import type { AddedCount, DeliveryQuery } from '../../../base/model/delivery.ts';
import {
  AFTER_MEASURES,
  type AfterMeasure,
  type DeliveryCell,
  type DeliveryGrouping,
  type FeedbackCount,
  type LessonRecurrence,
} from '../../../base/statistics/delivery-counts.ts';
import type { Sums } from '../../../base/statistics/estimates.ts';
import { toCondition } from '../conditions.ts';
import type { Database, DeliveryRow } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { omitNull, toTime } from '../row-values.ts';
import { toDelivery } from './deliveries.ts';
import { BAD, IS_JUDGED } from './trials.ts';

export function makeStatsStore({ db }: Engine) {
  return {
    async listPlacedDeliveries({ limit, ...query }) {
      const { rows } = await sql<DeliveryRow & { readonly project_id: string | null }>`
        select * from ${await selectPlaced(db, query)} as d order by d.delivered_at desc, d.id desc limit ${limit}
      `.execute(db);
      return rows.map((row) => omitNull({ ...toDelivery(row), projectId: row.project_id }));
    },
    countDeliveries: (query, by) => countDeliveries(db, query, by),
    async readLatency(query) {
      // Several lessons at one call count as one wait.
      const calls = sql`(
        select max(d.latency_us) as us from ${await selectPlaced(db, query)} as d
        where d.kind = 'call' group by d.agent, d.session_id, d.context_id, d.call_id
      )`;
      const counted = await sql<{ n: number }>`select count(*) as n from ${calls} as c`.execute(db);
      const n = counted.rows[0]?.n ?? 0;
      if (n === 0) return undefined;
      // Exact quantiles: the engine sorts, and only the requested ranks are read.
      const ranks = [50, 95, 99, 100].map((percent) => toRank(percent, n));
      const { rows } = await sql<{ us: number; place: number }>`
        select us, place from (select c.us, row_number() over (order by c.us) as place from ${calls} as c) as p
        where place in (${sql.join([...new Set(ranks)].map((rank) => sql.lit(rank)))})
      `.execute(db);
      const byPlace = new Map(rows.map(({ us, place }) => [place, us]));
      const [p50Us = 0, p95Us = 0, p99Us = 0, maxUs = 0] = ranks.map((rank) => byPlace.get(rank) ?? 0);
      return { calls: n, p50Us, p95Us, p99Us, maxUs };
    },
    /** For an agent or a project, only feedback on deliveries there counts. */
    async countFeedback(query, except = []) {
      const { lessonId: _, since: __, ...place } = query;
      const isPlaced = Object.keys(place).length > 0;
      const { rows } = await sql<FeedbackCount>`
        select f.source as "from", f.verdict, count(*) as count from feedback as f
        where ${await toCondition(
          db,
          query,
          { lessonId: 'f.lesson_id', since: 'f.said_at' },
          ...(except.length === 0 ? [] : [sql`f.id not in (${sql.join(except)})`]),
          ...(isPlaced ? [sql`f.delivery_id in (select d.id from ${await selectPlaced(db, place)} as d)`] : []),
        )}
        group by f.source, f.verdict order by f.source desc, f.verdict
      `.execute(db);
      return rows.map((row) => ({ ...row }));
    },
    listRecurrences: (query) => listRecurrences(db, query),
    async saveAdded(texts) {
      for (const { agent, sessionId, contextId, callId, kind, bytes, version = null, at } of texts)
        await db
          .insertInto('added_texts')
          .values({
            ...{ agent, session_id: sessionId, context_id: contextId, call_id: callId, kind, bytes, version },
            added_at: toTime(at),
          })
          .onConflict((oc) => oc.doNothing())
          .execute();
    },
    async countAdded(query) {
      const columns = {
        agent: 'd.agent',
        projectIds: 'x.project_id',
        sessionId: 'd.session_id',
        since: 'd.added_at',
        until: 'd.added_at',
        model: 'x.model',
      };
      const { rows } = await sql<AddedCount>`
        select d.kind, count(*) as texts, sum(d.bytes) as bytes from added_texts as d
        left join sessions as x on x.agent = d.agent and x.session_id = d.session_id
        where ${await toCondition(db, query, columns)}
        group by d.kind order by d.kind
      `.execute(db);
      return rows.map((row) => ({ ...row }));
    },
  } satisfies Partial<Store>;
}

const GROUP_KEYS: Readonly<Record<DeliveryGrouping, RawBuilder<string>>> = {
  project: sql`coalesce(d.project_id, '')`,
  agent: sql`d.agent`,
  day: sql`substr(d.delivered_at, 1, 10)`,
};

const IS_WARNING = sql`d.kind = 'call' and d.mode = 'note' and l.signature_id is not null`;

const AFTER_COLUMNS: Readonly<Record<AfterMeasure, string>> = {
  failingAttempts: 'failing_attempts',
  callsToSuccess: 'calls_to_success',
  secondsToSuccess: 'seconds_to_success',
  tokensToSuccess: 'tokens_to_success',
};
const IS_NOTE = sql`${IS_JUDGED} and d.kind in ('call', 'failure', 'memory') and d.mode = 'note'`;
const AFTER = sql.join(
  AFTER_MEASURES.flatMap((measure) => {
    const value = sql.ref(`d.${AFTER_COLUMNS[measure]}`);
    const sum = (what: RawBuilder<unknown>, part: keyof Sums) =>
      sql`coalesce(sum(case when ${IS_NOTE} and ${value} is not null then ${what} end), 0) as ${sql.ref(`${measure}_${part}`)}`;
    return [sum(sql`1`, 'n'), sum(value, 'sum'), sum(sql`${value} * ${value}`, 'squares')];
  }),
);
/** The mistake was repeated in a later session of the same project. */
const CAME_BACK = sql`exists (
  select 1 from tool_outcomes as t left join project_aliases as a on a.from_id = t.project_id
  where t.signature_id = l.signature_id and t.outcome = 'failure' and t.masked = 0 and t.occurred_at > d.delivered_at
    and (t.agent <> d.agent or t.session_id <> d.session_id) and coalesce(a.into_id, t.project_id) = d.project_id)`;

type AfterSums = { readonly [K in `${AfterMeasure}_${keyof Sums}`]: number };
type DeliveryCellRow = Omit<DeliveryCell, 'outcome' | 'oldVerdicts' | 'after'> &
  AfterSums & { readonly outcome: NonNullable<DeliveryCell['outcome']> | null; readonly oldVerdicts: number };

/** Counts deliveries by kind and result, separately for each lesson and project, agent or day. */
async function countDeliveries(
  db: Database,
  query: DeliveryQuery,
  by: DeliveryGrouping,
): Promise<readonly DeliveryCell[]> {
  const key = GROUP_KEYS[by];
  const { rows } = await sql<DeliveryCellRow>`
    select ${key} as key, d.lesson_id as "lessonId", d.kind, d.mode, d.arm, d.outcome, count(*) as count, sum(d.bytes) as bytes,
      sum(case when ${IS_JUDGED} then coalesce(d.again, ${BAD}) else 0 end) as again,
      sum(case when ${IS_JUDGED} then coalesce(d.failed, ${BAD}) else 0 end) as failed,
      sum(case when ${IS_WARNING} and d.call_outcome in ('success', 'partial') then 1 else 0 end) as "ownWorked",
      sum(case when ${IS_WARNING} and d.call_outcome = 'failure' then 1 else 0 end) as "ownFailed",
      sum(case when ${IS_NOTE} and l.signature_id is not null then 1 else 0 end) as followed,
      sum(case when ${IS_NOTE} and l.signature_id is not null and ${CAME_BACK} then 1 else 0 end) as "cameBack",
      sum(case when d.old_outcome is not null and d.outcome = 'incomplete' then 1 else 0 end) as "oldVerdicts",
      ${AFTER}
    from ${await selectPlaced(db, query)} as d
    left join lessons as l on l.id = d.lesson_id
    group by ${key}, d.lesson_id, d.kind, d.mode, d.arm, d.outcome
    order by 1, d.lesson_id, d.kind, d.mode, d.arm, coalesce(d.outcome, '')
  `.execute(db);
  return rows.map(({ key, lessonId, kind, mode, arm, outcome, oldVerdicts, ...row }) => {
    const { count, bytes, again, failed, ownWorked, ownFailed, followed, cameBack } = row;
    return omitNull({
      ...{ key, lessonId, kind, mode, arm, outcome },
      ...{ count, bytes, again, failed, ownWorked, ownFailed, followed, cameBack },
      oldVerdicts: oldVerdicts || null,
      after: toAfter(row),
    });
  });
}

function toAfter(row: AfterSums): Record<AfterMeasure, Sums> {
  const sums = AFTER_MEASURES.map((measure) => {
    const read = (part: keyof Sums): number => row[`${measure}_${part}`];
    return [measure, { n: read('n'), sum: read('sum'), squares: read('squares') }] as const;
  });
  return Object.fromEntries(sums) as Record<AfterMeasure, Sums>;
}

interface RecurrenceRow {
  readonly lessonId: string;
  readonly firstFiredAt: string;
  readonly later: number;
  readonly trials: number;
  readonly failures: number;
}

/**
 * How often calls failed in the way that a lesson is about, before and after it first fired on a call: for all lessons
 * in one pass over the calls of their programs, in the project of the lesson.
 */
async function listRecurrences(db: Database, query: DeliveryQuery): Promise<readonly LessonRecurrence[]> {
  const isAsked = await toCondition(
    db,
    query,
    { agent: 't.agent', projectIds: 't.project_id', since: 't.occurred_at' },
    sql`t.outcome in ('success', 'partial', 'failure') and t.masked = 0`,
    sql`(l.scope_kind <> 'project' or coalesce(a.into_id, t.project_id) = coalesce(b.into_id, l.scope_id))`,
  );
  const { since: _, ...everywhere } = query;
  const later = sql`case when t.occurred_at >= s.first_fired_at then 1 else 0 end`;
  const { rows } = await sql<RecurrenceRow>`
    select s.lesson_id as "lessonId", s.first_fired_at as "firstFiredAt", ${later} as later, count(*) as trials,
      sum(case when t.outcome = 'failure' and t.signature_id = l.signature_id then 1 else 0 end) as failures
    from (
      select d.lesson_id, min(d.delivered_at) as first_fired_at from ${await selectPlaced(db, everywhere)} as d
      where d.arm = 'shown' and d.kind = 'call' group by d.lesson_id
    ) as s
    join lessons as l on l.id = s.lesson_id
    join signatures as g on g.id = l.signature_id
    join tool_outcomes as t on t.program = g.program
    left join project_aliases as a on a.from_id = t.project_id
    left join project_aliases as b on b.from_id = l.scope_id
    where ${isAsked}
    group by s.lesson_id, s.first_fired_at, ${later} order by s.lesson_id, ${later}
  `.execute(db);
  return [...Map.groupBy(rows, ({ lessonId }) => lessonId).values()].flatMap(toRecurrence);
}

function toRecurrence(rows: readonly RecurrenceRow[]): readonly LessonRecurrence[] {
  const [first] = rows;
  if (first === undefined) return [];
  const toRate = (later: number) => {
    const row = rows.find((one) => one.later === later);
    return { trials: row?.trials ?? 0, failures: row?.failures ?? 0 };
  };
  return [{ lessonId: first.lessonId, firstFiredAt: first.firstFiredAt, before: toRate(0), after: toRate(1) }];
}

/**
 * A sub-query for all counts: deliveries with their project and the outcome of their own call. It has all columns of a
 * delivery, and `project_id`, `call_outcome`, `call_signature`.
 */
async function selectPlaced(db: Database, query: DeliveryQuery): Promise<RawBuilder<unknown>> {
  return sql`(
    select d.*, coalesce(a.into_id, t.project_id, x.project_id) as project_id, t.outcome as call_outcome,
      t.signature_id as call_signature
    from deliveries as d
    left join tool_outcomes as t on t.agent = d.agent and t.session_id = d.session_id and t.call_id = d.call_id
    left join sessions as x on x.agent = d.agent and x.session_id = d.session_id
    left join project_aliases as a on a.from_id = coalesce(t.project_id, x.project_id)
    where ${await toCondition(db, query, PLACED, ...listOfCategory(query.category))}
  )`;
}

/** Deliveries of the lessons and known fixes about failures of a category. */
function listOfCategory(category: string | undefined): readonly RawBuilder<unknown>[] {
  if (category === undefined) return [];
  const signatures = sql`select id from signatures where category = ${category}`;
  return [
    sql`(d.lesson_id in (select id from lessons where signature_id in (${signatures}))
      or d.lesson_id in (select ${toCureId('')} || id from signatures where category = ${category}))`,
  ];
}

const PLACED = {
  agent: 'd.agent',
  projectIds: 'coalesce(t.project_id, x.project_id)',
  lessonId: 'd.lesson_id',
  sessionId: 'd.session_id',
  idPrefix: 'd.id',
  arm: 'd.arm',
  kind: 'd.kind',
  since: 'd.delivered_at',
  until: 'd.delivered_at',
  model: 'x.model',
};

/** The rank (from 1) of the value that a percentage of `count` sorted values is at or below (nearest rank). */
export function toRank(percent: number, count: number): number {
  // Percent instead of a share, because 0.07 * 100 is slightly over 7 in floating point.
  return Math.min(count, Math.max(1, Math.ceil((percent * count) / 100)));
}
