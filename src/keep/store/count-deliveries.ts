/** Deliveries counted by what they are and what became of them, apart for each lesson and project, agent or day. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DeliveryCell, DeliveryGrouping } from '../../base/delivery-counts.ts';
import type { DeliveryQuery } from '../../base/delivery-query.ts';
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

type Numbers = 'count' | 'bytes' | 'again' | 'failed' | 'ownWorked' | 'ownFailed';
type Row = Omit<DeliveryCell, Numbers | 'outcome'> & {
  readonly outcome: NonNullable<DeliveryCell['outcome']> | null;
} & {
  readonly [K in Numbers]: number | string | bigint;
};

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
      sum(case when ${IS_WARNING} and d.call_outcome = 'failure' then 1 else 0 end) as "ownFailed"
    from ${await selectPlaced(db, query)} as d
    left join lessons as l on l.id = d.lesson_id
    group by ${key}, d.lesson_id, d.kind, d.mode, d.arm, d.outcome
    order by 1, d.lesson_id, d.kind, d.mode, d.arm, coalesce(d.outcome, '')
  `.execute(db);
  return rows.map((row) =>
    omitNull({
      ...row,
      count: Number(row.count),
      bytes: Number(row.bytes),
      again: Number(row.again),
      failed: Number(row.failed),
      ownWorked: Number(row.ownWorked),
      ownFailed: Number(row.ownFailed),
    }),
  );
}
