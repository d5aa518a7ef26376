/**
 * Counts the deliveries of each lesson at calls and their verdicts, from the time on at which the lesson is measured.
 */

import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import {
  makeNoTrials,
  NO_TALLY,
  type Tally,
  type TrialCounts,
  type Trials,
} from '../../../base/statistics/delivery-counts.ts';
import type { Database } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';

const RECENT = 5;
/** Deliveries that were judged before repetitions were recorded count by their verdict. */
export const BAD = sql`case when d.outcome in ('ignored', 'failed_anyway') then 1 else 0 end`;
export const IS_JUDGED = sql<boolean>`d.outcome in ('clean', 'ignored', 'failed_anyway')`;

interface Cell {
  readonly lessonId: string;
  readonly arm: 'shown' | 'holdout';
  readonly isNote: number;
  readonly deliveries: number;
  readonly judged: number;
  readonly clean: number;
  readonly ignored: number;
  readonly again: number;
  readonly failed: number;
}

export function makeTrialStore({ db }: Engine) {
  return {
    async listTrials(until = END_OF_TIME) {
      const isMeant = sql`d.kind = 'call' and ${IS_COUNTED} and d.delivered_at <= ${until}`;
      const cells = selectCells(sql`${JOIN_MEASURED_FROM} where ${isMeant}`);
      const { rows } = await sql<Cell>`with ${selectMeasuredFrom(db)} ${cells}`.execute(db);
      return [...Map.groupBy(rows, ({ lessonId }) => lessonId)].map(([lessonId, own]) => toCounts(lessonId, own));
    },
    async readTrials({ lessonId, signatureId, since = '', until = END_OF_TIME }) {
      const isThen = sql`d.delivered_at > ${since} and d.delivered_at <= ${until}`;
      const isMeant = sql`d.kind = 'call' and d.lesson_id = ${lessonId} and ${isThen}`;
      const { rows: cells } = await selectCells(sql`where ${isMeant}`).execute(db);
      if (cells.length === 0) return makeNoTrials(lessonId);
      const recent = await sql<{ failed: number }>`
        select coalesce(d.failed, ${BAD}) as failed from deliveries as d
        where ${isMeant} and d.arm = 'shown' and ${IS_JUDGED} order by d.outcome_at desc, d.id desc limit ${sql.lit(RECENT)}
      `.execute(db);
      const isMistake = signatureId === undefined ? sql`1 = 1` : sql`t.signature_id = ${signatureId}`;
      const own = await sql<{ failed: number | null; worked: number | null }>`
        select sum(case when t.outcome = 'failure' and ${isMistake} then 1 else 0 end) as failed,
          sum(case when t.outcome in ('success', 'partial') then 1 else 0 end) as worked
        from deliveries as d join tool_outcomes as t
          on t.agent = d.agent and t.session_id = d.session_id and t.call_id = d.call_id
        where ${isMeant} and d.mode = 'note'
      `.execute(db);
      return {
        ...toCounts(lessonId, cells),
        verdicts: toVerdicts(cells.filter(({ arm }) => arm === 'shown')),
        own: { failed: own.rows[0]?.failed ?? 0, worked: own.rows[0]?.worked ?? 0 },
        recent: recent.rows.map(({ failed }) => failed === 1),
      };
    },
  } satisfies Partial<Store>;
}

function selectCells(meant: RawBuilder<unknown>): RawBuilder<Cell> {
  return sql<Cell>`
    select d.lesson_id as "lessonId", d.arm as arm, case when d.mode = 'note' then 1 else 0 end as "isNote",
      count(*) as deliveries, sum(case when ${IS_JUDGED} then 1 else 0 end) as judged,
      sum(case when d.outcome = 'clean' then 1 else 0 end) as clean,
      sum(case when d.outcome = 'ignored' then 1 else 0 end) as ignored,
      sum(case when ${IS_JUDGED} then coalesce(d.again, ${BAD}) else 0 end) as again,
      sum(case when ${IS_JUDGED} then coalesce(d.failed, ${BAD}) else 0 end) as failed
    from deliveries as d ${meant}
    group by d.lesson_id, d.arm, case when d.mode = 'note' then 1 else 0 end order by d.lesson_id
  `;
}

function toCounts(lessonId: string, cells: readonly Cell[]): TrialCounts {
  const find = (arm: Cell['arm'], isNote: boolean): Cell | undefined =>
    cells.find((cell) => cell.arm === arm && cell.isNote === Number(isNote));
  const shown = cells.filter(({ arm }) => arm === 'shown');
  return {
    lessonId,
    shown: shown.reduce((sum, { deliveries }) => sum + deliveries, 0),
    note: toTally(find('shown', true)),
    acting: toTally(find('shown', false)),
    withheld: toTally(find('holdout', true)),
  };
}

function toVerdicts(shown: readonly Cell[]): Trials['verdicts'] {
  const sum = (count: 'judged' | 'clean' | 'ignored'): number => shown.reduce((all, cell) => all + cell[count], 0);
  const [clean, ignored] = [sum('clean'), sum('ignored')];
  return { clean, ignored, failedAnyway: sum('judged') - clean - ignored };
}

function toTally(cell: Cell | undefined): Tally {
  return cell === undefined ? NO_TALLY : { judged: cell.judged, again: cell.again, failed: cell.failed };
}

/** Most lessons have no measure, so their documents are not parsed. */
const HAS_MEASURE = sql`document like '%"measure":%'`;

/** `measured_from (lesson_id, from_at)`. */
export function selectMeasuredFrom(db: Database): RawBuilder<unknown> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const from = isPostgres ? sql`document::json #>> '{measure,from}'` : sql`json_extract(document, '$.measure.from')`;
  return sql`measured_from as materialized (select id as lesson_id, ${from} as from_at from lessons where ${HAS_MEASURE})`;
}

/** Later than any time, if there is no limit. */
export const END_OF_TIME = '9999';

/** For the deliveries `d`. */
export const JOIN_MEASURED_FROM = sql`left join measured_from as f on f.lesson_id = d.lesson_id`;
/**
 * The time from which each lesson is measured, for lessons that a person decided on or that are measured again; earlier
 * deliveries do not count. Used in a `with`, so that it is read once for any number of deliveries.
 */
export const IS_COUNTED = sql`(f.from_at is null or d.delivered_at > f.from_at)`;
