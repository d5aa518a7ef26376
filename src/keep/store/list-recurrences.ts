/**
 * How often calls failed in the way a lesson is about, before it first spoke at a call and since: of all lessons with one
 * pass over the calls of their programs, in the project that a lesson holds for.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LessonRecurrence } from '../../base/delivery-counts.ts';
import type { DeliveryQuery } from '../../base/delivery-query.ts';
import { and } from './count-history.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { listAllIds } from './list-aliases.ts';
import { selectPlaced } from './select-placed.ts';

interface Row {
  readonly lessonId: string;
  readonly spokeAt: string;
  readonly later: number;
  readonly trials: number | string;
  readonly failures: number | string;
}

export async function listRecurrences(
  db: Kysely<DatabaseSchema>,
  { since, ...query }: DeliveryQuery,
): Promise<readonly LessonRecurrence[]> {
  const later = sql`case when t.occurred_at >= s.spoke_at then 1 else 0 end`;
  const { rows } = await sql<Row>`
    select s.lesson_id as "lessonId", s.spoke_at as "spokeAt", ${later} as later, count(*) as trials,
      sum(case when t.outcome = 'failure' and t.signature_id = l.signature_id then 1 else 0 end) as failures
    from (
      select d.lesson_id, min(d.delivered_at) as spoke_at from ${await selectPlaced(db, query)} as d
      where d.arm = 'shown' and d.kind = 'call' group by d.lesson_id
    ) as s
    join lessons as l on l.id = s.lesson_id
    join signatures as g on g.id = l.signature_id
    join tool_outcomes as t on t.program = g.program
    left join project_aliases as a on a.from_id = t.project_id
    left join project_aliases as b on b.from_id = l.scope_id
    where ${and(await toConditions(db, { ...query, ...(since === undefined ? {} : { since }) }))}
    group by s.lesson_id, s.spoke_at, ${later} order by s.lesson_id, ${later}
  `.execute(db);
  return [...Map.groupBy(rows, ({ lessonId }) => lessonId).values()].flatMap(toRecurrence);
}

async function toConditions(
  db: Kysely<DatabaseSchema>,
  { agent, projectIds, since }: DeliveryQuery,
): Promise<readonly RawBuilder<unknown>[]> {
  const ids = projectIds === undefined ? [] : await listAllIds(db, projectIds);
  const isThere = ids.length === 0 ? sql`1 = 0` : sql`t.project_id in (${sql.join(ids)})`;
  return [
    sql`t.outcome in ('success', 'partial', 'failure') and t.masked = 0`,
    sql`(l.scope_kind <> 'project' or coalesce(a.into_id, t.project_id) = coalesce(b.into_id, l.scope_id))`,
    ...(agent === undefined ? [] : [sql`t.agent = ${agent}`]),
    ...(projectIds === undefined ? [] : [isThere]),
    ...(since === undefined ? [] : [sql`t.occurred_at >= ${since}`]),
  ];
}

function toRecurrence(rows: readonly Row[]): readonly LessonRecurrence[] {
  const [first] = rows;
  if (first === undefined) return [];
  const toRate = (later: number) => {
    const row = rows.find((one) => Number(one.later) === later);
    return { trials: Number(row?.trials ?? 0), failures: Number(row?.failures ?? 0) };
  };
  return [{ lessonId: first.lessonId, spokeAt: first.spokeAt, before: toRate(0), after: toRate(1) }];
}
