/** Deliveries counted by what they are and what became of them, apart for each lesson and project, agent or day. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  AFTER_MEASURES,
  type AfterMeasure,
  type DeliveryCell,
  type DeliveryGrouping,
} from '../../base/delivery-counts.ts';
import type { DeliveryQuery } from '../../base/delivery-query.ts';
import type { Sums } from '../../base/sums.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { omitNull } from './omit-null.ts';
import { selectPlaced } from './select-placed.ts';

const KEYS: Readonly<Record<DeliveryGrouping, RawBuilder<string>>> = {
  project: sql`coalesce(d.project_id, '')`,
  agent: sql`d.agent`,
  day: sql`substr(d.delivered_at, 1, 10)`,
};

const IS_JUDGED = sql`d.outcome in ('clean', 'ignored', 'failed_anyway')`;
/** What was judged before it was noted what came is taken by its verdict. */
const BAD = sql`case when d.outcome in ('ignored', 'failed_anyway') then 1 else 0 end`;
const IS_WARNING = sql`d.kind = 'call' and d.mode = 'note' and l.signature_id is not null`;

const COLUMNS: Readonly<Record<AfterMeasure, string>> = {
  failingAttempts: 'failing_attempts',
  callsToSuccess: 'calls_to_success',
  secondsToSuccess: 'seconds_to_success',
  tokensToSuccess: 'tokens_to_success',
};
const IS_NOTE = sql`${IS_JUDGED} and d.kind = 'call' and d.mode = 'note'`;
const AFTER = sql.join(
  AFTER_MEASURES.flatMap((measure) => {
    const value = sql.ref(`d.${COLUMNS[measure]}`);
    const sum = (what: RawBuilder<unknown>, part: keyof Sums) =>
      sql`coalesce(sum(case when ${IS_NOTE} and ${value} is not null then ${what} end), 0) as ${sql.ref(`${measure}_${part}`)}`;
    return [sum(sql`1`, 'n'), sum(value, 'sum'), sum(sql`${value} * ${value}`, 'squares')];
  }),
);
/** The mistake was made again in a later session of the same project. */
const CAME_BACK = sql`exists (
  select 1 from tool_outcomes as t left join project_aliases as a on a.from_id = t.project_id
  where t.signature_id = l.signature_id and t.outcome = 'failure' and t.masked = 0 and t.occurred_at > d.delivered_at
    and (t.agent <> d.agent or t.session_id <> d.session_id) and coalesce(a.into_id, t.project_id) = d.project_id)`;

type Numbers =
  | 'count'
  | 'bytes'
  | 'again'
  | 'failed'
  | 'ownWorked'
  | 'ownFailed'
  | 'followed'
  | 'cameBack'
  | 'oldVerdicts';
type Row = Omit<DeliveryCell, Numbers | 'outcome' | 'after'> & {
  readonly outcome: NonNullable<DeliveryCell['outcome']> | null;
} & {
  readonly [K in Numbers]: number | string | bigint;
} & { readonly [K in `${AfterMeasure}_${keyof Sums}`]: number | string | bigint };

export async function countDeliveries(
  db: Kysely<DatabaseSchema>,
  query: DeliveryQuery,
  by: DeliveryGrouping,
): Promise<readonly DeliveryCell[]> {
  const key = KEYS[by];
  const { rows } = await sql<Row>`
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
  return rows.map(({ key, lessonId, kind, mode, arm, outcome, ...row }) =>
    omitNull({
      ...{ key, lessonId, kind, mode, arm, outcome },
      count: Number(row.count),
      bytes: Number(row.bytes),
      again: Number(row.again),
      failed: Number(row.failed),
      ownWorked: Number(row.ownWorked),
      ownFailed: Number(row.ownFailed),
      followed: Number(row.followed),
      cameBack: Number(row.cameBack),
      oldVerdicts: Number(row.oldVerdicts) || null,
      after: toAfter(row),
    }),
  );
}

function toAfter(
  row: Readonly<Record<`${AfterMeasure}_${keyof Sums}`, number | string | bigint>>,
): Record<AfterMeasure, Sums> {
  const sums = AFTER_MEASURES.map((measure) => {
    const read = (part: keyof Sums): number => Number(row[`${measure}_${part}`]);
    return [measure, { n: read('n'), sum: read('sum'), squares: read('squares') }] as const;
  });
  return Object.fromEntries(sums) as Record<AfterMeasure, Sums>;
}
