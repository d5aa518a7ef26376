/** Failures by signature, most frequent first, or one by one, newest first. */
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { FailedCall, FailureFilter, FailureGroup } from '../../base/failure.ts';
import { HOOK_TOOL_PREFIX } from '../../base/is-hook-run.ts';
import { toTextRemoval } from './call-row.ts';
import type { CallRow, DatabaseSchema } from './database-schema.ts';
import { listAllIds } from './list-aliases.ts';
import { omitNull } from './omit-null.ts';
import { NOTHING_SAME_SUCCEEDED, selectSettledBySeveral } from './settled-intents.ts';

export async function listFailures(
  db: Kysely<DatabaseSchema>,
  filter: FailureFilter,
): Promise<readonly FailureGroup[]> {
  const rows = await selectFailures(db, await toWhole(db, filter))
    .leftJoin('project_aliases as a', 'a.from_id', 't.project_id')
    .leftJoin('signatures as s', 's.id', 't.signature_id')
    .select((eb) => [
      't.signature_id as signature',
      sql<string>`coalesce(min(s.program), min(t.program), t.tool_name)`.as('program'),
      sql<string | null>`coalesce(min(t.message), min(s.template))`.as('message'),
      sql<number | string>`sum(case when t.masked = 0 then 1 else 0 end)`.as('count'),
      sql<number | string>`sum(t.masked)`.as('masked'),
      sql<number>`max(${IS_HOOK})`.as('isHook'),
      sql<number>`count(distinct t.agent || ' ' || t.session_id)`.as('sessions'),
      sql<number>`count(distinct coalesce(a.into_id, t.project_id))`.as('projects'),
      eb.fn.min('t.occurred_at').as('first'),
      eb.fn.max('t.occurred_at').as('last'),
    ])
    // Without a signature only the program tells them apart.
    .groupBy(['t.signature_id', 't.tool_name', IS_HOOK, sql`case when t.signature_id is null then t.program end`])
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('last', 'desc')
    .orderBy('program')
    .limit(filter.limit)
    .execute();
  return rows.map((row) =>
    omitNull({ ...row, count: Number(row.count), masked: Number(row.masked), isHook: Number(row.isHook) === 1 }),
  );
}

const IS_HOOK = sql<number>`case when t.raw_tool_name like ${sql.lit(`${HOOK_TOOL_PREFIX}%`)} then 1 else 0 end`;

export async function listFailedCalls(
  db: Kysely<DatabaseSchema>,
  filter: FailureFilter,
): Promise<readonly FailedCall[]> {
  const rows = await selectFailures(db, await toWhole(db, filter))
    .leftJoin('sessions as x', (join) =>
      join.onRef('x.agent', '=', 't.agent').onRef('x.session_id', '=', 't.session_id'),
    )
    .select(['t.id', 't.occurred_at', 't.agent', 't.session_id', 't.project_id', 't.tool_name', 't.program'])
    .select(['t.input_summary', 't.exit_code', 't.message', 't.signature_id', 'x.branch', 't.masked', 't.text_removed'])
    .orderBy('t.occurred_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(filter.limit)
    .execute();
  return rows.map((row) =>
    omitNull({
      id: row.id,
      at: row.occurred_at,
      agent: row.agent,
      sessionId: row.session_id,
      projectId: row.project_id,
      tool: row.tool_name,
      program: row.program,
      command: row.input_summary,
      exitCode: row.exit_code,
      message: row.message,
      signature: row.signature_id,
      branch: row.branch,
      masked: row.masked === 1,
      textRemoved: toTextRemoval(row.text_removed),
    }),
  );
}

/** A project is all its ids. */
async function toWhole(db: Kysely<DatabaseSchema>, filter: FailureFilter): Promise<FailureFilter> {
  const { projectIds } = filter;
  return projectIds === undefined ? filter : { ...filter, projectIds: await listAllIds(db, projectIds) };
}

function selectFailures(db: Kysely<DatabaseSchema>, filter: FailureFilter) {
  const { projectIds, agent, sessionId, since, signature, unresolved } = filter;
  let query = db.selectFrom('tool_outcomes as t').where('t.outcome', '=', 'failure');
  if (projectIds !== undefined) query = query.where('t.project_id', 'in', projectIds);
  if (agent !== undefined) query = query.where('t.agent', '=', agent);
  if (sessionId !== undefined) query = query.where('t.session_id', '=', sessionId);
  if (since !== undefined) query = query.where('t.occurred_at', '>=', since);
  if (signature !== undefined) query = query.where('t.signature_id', '=', signature);
  return unresolved === true ? whereUnsettled(db, query) : query;
}

type Failures = SelectQueryBuilder<DatabaseSchema & { t: CallRow }, 't', object>;

function whereUnsettled(db: Kysely<DatabaseSchema>, query: Failures): Failures {
  return query
    .where('t.resolved_at', 'is', null)
    .where(NOTHING_SAME_SUCCEEDED)
    .where(({ not, exists, selectFrom, ref }) =>
      not(
        exists(
          selectFrom(selectSettledBySeveral(db).as('settled'))
            .select('settled.key')
            .whereRef('settled.key', '=', 't.intent_key')
            .whereRef('settled.at', '>', 't.occurred_at')
            .where(
              'settled.project',
              '=',
              sql<string>`coalesce(
              (select into_id from project_aliases where from_id = ${ref('t.project_id')}), ${ref('t.project_id')})`,
            ),
        ),
      ),
    );
}
