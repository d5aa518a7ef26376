/** What agents wrote down themselves, counted. Told again: where it stands and what is behind it is learned, once. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { KeptReport, ReportCount, ReportFilter } from '../../base/kept-report.ts';
import type { Store } from '../../base/store.ts';
import { and } from './count-history.ts';
import type { DatabaseSchema, SelfReportRow } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { omitNull } from './omit-null.ts';
import { toChunks } from './to-chunks.ts';

export function makeReportStore({ db }: Engine): Pick<Store, 'saveReports' | 'countReports' | 'listMalformedReports'> {
  return {
    async saveReports(reports) {
      if (reports.length === 0) return;
      await db.transaction().execute(async (trx) => {
        for (const chunk of toChunks(reports)) await save(trx, chunk);
      });
    },
    countReports: (filter) => countReports(db, filter),
    async listMalformedReports(filter) {
      const rows = await db
        .selectFrom('self_reports')
        .selectAll()
        .where(sql<boolean>`malformed is not null and ${and(toConditions(filter, 'said_at'))}`)
        .orderBy('said_at', 'desc')
        .orderBy('report_id')
        .limit(filter.limit)
        .execute();
      return rows.map(toReport);
    },
  };
}

/** What is known of a report never gets less: the hook tells no line, the transcript does. */
async function save(db: Kysely<DatabaseSchema>, reports: readonly KeptReport[]): Promise<void> {
  const known = (column: string) =>
    sql<never>`coalesce(${sql.ref(`self_reports.${column}`)}, ${sql.ref(`excluded.${column}`)})`;
  await db
    .insertInto('self_reports')
    .values(toOnce(reports).map(toRow))
    .onConflict((oc) =>
      oc.columns(['agent', 'session_id', 'report_id']).doUpdateSet({
        failing_call_id: known('failing_call_id'),
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

type CountRow = Omit<ReportCount, 'model'> & { readonly model: string | null };

/** A report counts for its session's model, as every call does. */
async function countReports(db: Kysely<DatabaseSchema>, filter: ReportFilter): Promise<readonly ReportCount[]> {
  const { rows } = await sql<CountRow>`
    select c.agent, x.model, sum(c.reports) as reports, sum(c.malformed) as malformed, sum(c.unreported) as unreported
    from (
      select agent, session_id, sum(case when malformed is null then 1 else 0 end) as reports,
        sum(case when malformed is null then 0 else 1 end) as malformed, 0 as unreported
      from self_reports where ${and(toConditions(filter, 'said_at'))} group by agent, session_id
      union all
      select agent, session_id, 0, 0, count(distinct failing_call_id)
      from findings as f
      where kind <> 'self-reported' and verdict <> 'dropped' and ${and(toConditions(filter, 'found_at'))}
        and not exists (
          select 1 from self_reports as r
          where r.agent = f.agent and r.session_id = f.session_id and r.failing_call_id = f.failing_call_id)
      group by agent, session_id
    ) as c
    left join sessions as x on x.agent = c.agent and x.session_id = c.session_id
    group by c.agent, x.model
    order by c.agent, coalesce(x.model, '')
  `.execute(db);
  return rows.map((row) =>
    omitNull({
      ...row,
      reports: Number(row.reports),
      malformed: Number(row.malformed),
      unreported: Number(row.unreported),
    }),
  );
}

function toConditions({ agent, since }: ReportFilter, time: 'said_at' | 'found_at'): readonly RawBuilder<unknown>[] {
  return [
    ...(agent === undefined ? [] : [sql`agent = ${agent}`]),
    ...(since === undefined ? [] : [sql`${sql.ref(time)} >= ${since}`]),
  ];
}

function toRow(report: KeptReport): SelfReportRow {
  return {
    agent: report.agent,
    session_id: report.sessionId,
    report_id: report.reportId,
    project_id: report.projectId,
    form: report.form,
    malformed: report.malformed ?? null,
    failing_call_id: report.failingCallId ?? null,
    file: report.file ?? null,
    line: report.line ?? null,
    said_at: report.at,
  };
}

function toReport(row: SelfReportRow): KeptReport {
  return omitNull({
    agent: row.agent,
    sessionId: row.session_id,
    projectId: row.project_id,
    reportId: row.report_id,
    form: row.form,
    malformed: row.malformed,
    failingCallId: row.failing_call_id,
    file: row.file,
    line: row.line,
    at: row.said_at,
  });
}
