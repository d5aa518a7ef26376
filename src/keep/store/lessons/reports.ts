/** Stores and counts the lesson reports of agents. A repeated report adds its position and its failure, once. */
import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import type { KeptReport, ReportCount, ReportFilter } from '../../../base/model/finding.ts';
import { toCondition } from '../conditions.ts';
import { type Database, reportColumns } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { omitNull } from '../row-values.ts';
import { toChunks } from '../statements.ts';

export function makeReportStore({ db }: Engine) {
  return {
    async saveReports(reports) {
      if (reports.length === 0) return;
      await db.transaction().execute(async (trx) => {
        for (const chunk of toChunks(reports)) await save(trx, chunk);
      });
    },
    countReports: (filter) => countReports(db, filter),
    async listUnreported({ limit, ...filter }) {
      type Row = { readonly [K in 'agent' | 'sessionId' | 'contextId' | 'callId' | 'at']: string } & {
        readonly command: string | null;
        readonly protocol: number | null;
      };
      const { rows } = await sql<Row>`
        select c.agent, c.session_id as "sessionId", c.context_id as "contextId", c.failing_call_id as "callId",
          c.command, ${PROTOCOL} as protocol, c.found_at as at
        from (${await selectUnreported(db, filter)}) as c order by c.found_at desc, c.failing_call_id limit ${limit}
      `.execute(db);
      return rows.map((row) => omitNull(row));
    },
    async listMalformedReports(filter) {
      const rows = await db
        .selectFrom('self_reports')
        .selectAll()
        .where(await toCondition(db, filter, { agent: 'agent', since: 'said_at' }, sql`malformed is not null`))
        .orderBy('said_at', 'desc')
        .orderBy('report_id')
        .limit(filter.limit)
        .execute();
      return rows.map((row) => ({ ...reportColumns.toFields(row), contextId: row.context_id ?? '' }));
    },
  } satisfies Partial<Store>;
}

/** Known fields are never lost: the hook does not report the line, the transcript does. */
async function save(db: Database, reports: readonly KeptReport[]): Promise<void> {
  const known = (column: string) =>
    sql<never>`coalesce(${sql.ref(`self_reports.${column}`)}, ${sql.ref(`excluded.${column}`)})`;
  await db
    .insertInto('self_reports')
    .values(toOnce(reports).map((report) => ({ ...reportColumns.toRow(report), context_id: report.contextId })))
    .onConflict((oc) =>
      oc.columns(['agent', 'session_id', 'report_id']).doUpdateSet({
        failing_call_id: known('failing_call_id'),
        context_id: known('context_id'),
        file: known('file'),
        line: known('line'),
      }),
    )
    .execute();
}

/** One statement must not touch a row twice. */
function toOnce(reports: readonly KeptReport[]): readonly KeptReport[] {
  return [...new Map(reports.map((one) => [`${one.agent}\n${one.sessionId}\n${one.reportId}`, one])).values()];
}

type CountRow = Omit<ReportCount, 'model' | 'protocol' | 'isSubagent'> & {
  readonly model: string | null;
  readonly protocol: number | null;
  readonly isSubagent: number;
};

/** Failures that detectors learned from and that have no report, each once, with its conversation. */
async function selectUnreported(db: Database, filter: ReportFilter): Promise<RawBuilder<unknown>> {
  const isAsked = await toCondition(db, filter, { agent: 'f.agent', since: 'f.found_at' });
  return sql`
    select f.agent, f.session_id, coalesce(t.context_id, '') as context_id, f.failing_call_id, max(f.found_at) as found_at,
      max(t.input_summary) as command
    from findings as f
    left join tool_outcomes as t
      on t.agent = f.agent and t.session_id = f.session_id and t.call_id = f.failing_call_id
    where f.kind <> 'self-reported' and f.verdict <> 'dropped' and ${isAsked}
      and not exists (
        select 1 from self_reports as r
        where r.agent = f.agent and r.session_id = f.session_id and r.failing_call_id = f.failing_call_id)
    group by f.agent, f.session_id, coalesce(t.context_id, ''), f.failing_call_id`;
}

/** The last version of the protocol that the conversation was given. */
const PROTOCOL = sql`(select max(p.version) from added_texts as p where p.kind = 'protocol'
  and p.agent = c.agent and p.session_id = c.session_id and p.context_id = c.context_id)`;

/** A report counts for the model of its session, as every call does. */
async function countReports(db: Database, filter: ReportFilter): Promise<readonly ReportCount[]> {
  const { rows } = await sql<CountRow>`
    select g.agent, g.model, g.protocol, g.is_subagent as "isSubagent", sum(g.reports) as reports,
      sum(g.malformed) as malformed, sum(g.unreported) as unreported
    from (
      select c.agent, x.model, ${PROTOCOL} as protocol, case when c.context_id = '' then 0 else 1 end as is_subagent,
        c.reports, c.malformed, c.unreported
      from (
        select agent, session_id, coalesce(context_id, '') as context_id,
          sum(case when malformed is null then 1 else 0 end) as reports,
          sum(case when malformed is null then 0 else 1 end) as malformed, 0 as unreported
        from self_reports where ${await toCondition(db, filter, { agent: 'agent', since: 'said_at' })}
        group by agent, session_id, coalesce(context_id, '')
        union all
        select agent, session_id, context_id, 0, 0, count(*) from (${await selectUnreported(db, filter)}) as u
        group by agent, session_id, context_id
      ) as c
      left join sessions as x on x.agent = c.agent and x.session_id = c.session_id
    ) as g
    group by g.agent, g.model, g.protocol, g.is_subagent
    order by g.agent, coalesce(g.model, ''), coalesce(g.protocol, 0), g.is_subagent
  `.execute(db);
  return rows.map((row) => omitNull({ ...row, isSubagent: row.isSubagent === 1 }));
}
