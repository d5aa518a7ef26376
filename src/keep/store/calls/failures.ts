/**
 * Queries failures: one by one (newest first), and the counts that every report shares. A failure is resolved when a later call with the same intent key succeeds in the project.
 */

import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { makeToProjectId } from '../../../base/model/project.ts';
import { MAX_SLOTS, SEVERAL_PREFIX, SLOT_CHARS } from '../../../base/shell/intent.ts';
import { type FailureCounts, type LedgerCall, makeFailureCounter } from '../../../base/statistics/failure-ledger.ts';
import type { FailedCall, FailureFilter } from '../../../base/statistics/failures.ts';
import type { CallRow, Database, DatabaseSchema } from '../database-schema.ts';
import { listAliases, listAllIds } from '../project-aliases.ts';
import { omitNull } from '../row-values.ts';
import { toTextRemoval } from './calls.ts';

export async function listFailedCalls(db: Database, filter: FailureFilter): Promise<readonly FailedCall[]> {
  const rows = await selectFailures(db, await withJoinedProjects(db, filter))
    .leftJoin('sessions as x', (join) =>
      join.onRef('x.agent', '=', 't.agent').onRef('x.session_id', '=', 't.session_id'),
    )
    .select(['t.id', 't.occurred_at', 't.agent', 't.session_id', 't.project_id', 't.tool_name', 't.raw_tool_name'])
    .select(['t.program', 't.input_summary', 't.exit_code', 't.message', 't.signature_id', 'x.branch'])
    .select(['t.masked', 't.text_removed'])
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
      rawTool: row.raw_tool_name,
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

/** Expands project ids to all ids of their projects. */
export async function withJoinedProjects(db: Database, filter: FailureFilter): Promise<FailureFilter> {
  const { projectIds } = filter;
  return projectIds === undefined ? filter : { ...filter, projectIds: await listAllIds(db, projectIds) };
}

/** The failures `t` of a filter whose project ids are complete. */
export function selectFailures(db: Database, filter: FailureFilter) {
  const { projectIds, agent, sessionId, since, signatures, unresolved } = filter;
  let query = db.selectFrom('tool_outcomes as t').where('t.outcome', '=', 'failure');
  if (projectIds !== undefined) query = query.where(isOneOf(sql`t.project_id`, projectIds));
  if (agent !== undefined) query = query.where('t.agent', '=', agent);
  if (sessionId !== undefined) query = query.where('t.session_id', '=', sessionId);
  if (since !== undefined) query = query.where('t.occurred_at', '>=', since);
  if (signatures !== undefined) query = query.where(isOneOf(sql`t.signature_id`, signatures));
  return unresolved === true ? whereUnsettled(db, query) : query;
}

/** PostgreSQL takes no empty list. */
function isOneOf(column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> {
  return values.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${column} in (${sql.join(values)})`;
}

type Failures = SelectQueryBuilder<DatabaseSchema & { t: CallRow }, 't', object>;

function whereUnsettled(db: Database, query: Failures): Failures {
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

/** The page size, because the calls of a long history do not fit into memory at once. */
const PAGE_ROWS = 20_000;

/** Sessions, calls, failures, repeats and avoidable failures, counted by the ledger that all reports share. */
type FailureCountFilter = Omit<FailureFilter, 'limit' | 'unresolved'>;

type PlacedCall = LedgerCall & { readonly at: string };

/** Calls outside the filter are read too, because they are the past of those inside. */
export async function countFailures(
  db: Database,
  { projectIds, agent, sessionId, since, signatures }: FailureCountFilter,
): Promise<FailureCounts> {
  const toProjectId = makeToProjectId(await listAliases(db));
  const wanted = projectIds && new Set(projectIds.map(toProjectId));
  const counter = makeFailureCounter((call) => {
    const { at } = call as PlacedCall;
    if (wanted !== undefined && !wanted.has(call.projectId)) return false;
    if (agent !== undefined && call.agent !== agent) return false;
    if (sessionId !== undefined && call.sessionId !== sessionId) return false;
    if (since !== undefined && at < since) return false;
    return signatures === undefined || signatures.includes(call.signatureId ?? '');
  });
  for await (const call of readCalls(db)) counter.add({ ...call, projectId: toProjectId(call.projectId) });
  return counter.read();
}

async function* readCalls(db: Database): AsyncGenerator<PlacedCall> {
  let last = { at: '', id: '' };
  for (;;) {
    const { at, id } = last;
    const rows = await db
      .selectFrom('tool_outcomes')
      .select(['id', 'occurred_at as at', 'agent', 'session_id as sessionId', 'project_id as projectId', 'program'])
      .select([
        'context_id as contextId',
        'duration_ms',
        'duration_source',
        'tokens_input',
        'tokens_cached',
        'tokens_output',
      ])
      .select([
        'raw_tool_name as rawTool',
        'outcome',
        'masked',
        'intent_key as intentKey',
        'signature_id as signatureId',
      ])
      .where(({ eb, and, or }) =>
        or([eb('occurred_at', '>', at), and([eb('occurred_at', '=', at), eb('id', '>', id)])]),
      )
      .orderBy('occurred_at')
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    for (const row of rows) yield toLedgerCall(row);
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_ROWS) return;
    last = end;
  }
}

type Row = Pick<
  CallRow,
  'outcome' | 'program' | 'duration_ms' | 'duration_source' | 'tokens_input' | 'tokens_cached' | 'tokens_output'
> & {
  readonly [K in 'at' | 'agent' | 'sessionId' | 'projectId' | 'contextId' | 'rawTool']: string;
} & { readonly masked: number; readonly intentKey: string | null; readonly signatureId: string | null };

function toLedgerCall(row: Row): PlacedCall {
  const { at, agent, sessionId, projectId, contextId, rawTool, outcome, program, intentKey, signatureId } = row;
  const { tokens_input: input, tokens_cached: cached, tokens_output: output } = row;
  return omitNull({
    ...{ at, agent, sessionId, projectId, contextId, rawTool, outcome, program, intentKey, signatureId },
    masked: row.masked === 1,
    // The time since the last call is not a duration.
    durationMs: row.duration_source === 'gap' ? null : row.duration_ms,
    tokens: input === null || cached === null || output === null ? null : { input, cached, output },
  });
}

const DONE = ['success', 'partial'] as const;

/**
 * Failures that a later success settled, by intent key (see `intent.ts`). For the failures `t`: no later success with
 * the same key under any id of the project. Uses an index.
 */
const NOTHING_SAME_SUCCEEDED = sql<boolean>`not exists (
  select 1 from tool_outcomes as later
  where later.intent_key = t.intent_key and later.occurred_at > t.occurred_at
    and later.outcome in (${sql.join(DONE.map((outcome) => sql.lit(outcome)))})
    and later.project_id in (
      select t.project_id
      union select into_id from project_aliases where from_id = t.project_id
      union select from_id from project_aliases where into_id = coalesce(
        (select into_id from project_aliases where from_id = t.project_id), t.project_id)))`;

/** The intents that lines of several commands settled, with the last time: one row per intent and project. */
export function selectSettledBySeveral(db: Database) {
  return db
    .selectFrom('tool_outcomes as several')
    .leftJoin('project_aliases as alias', 'alias.from_id', 'several.project_id')
    .innerJoin(SLOTS.as('slots'), (join) => join.onTrue())
    .select((eb) => [
      sql<string>`coalesce(alias.into_id, several.project_id)`.as('project'),
      SLOT.as('key'),
      eb.fn.max('several.occurred_at').as('at'),
    ])
    .where('several.intent_key', 'like', `${SEVERAL_PREFIX}%`)
    .where('several.outcome', 'in', DONE)
    .groupBy([sql`coalesce(alias.into_id, several.project_id)`, SLOT]);
}

const SLOTS = sql<{ slot: number }>`(${sql.join(
  Array.from({ length: MAX_SLOTS }, (_, n) => sql`select ${sql.lit(n)} as slot`),
  sql` union all `,
)})`;

const SLOT = sql<string>`rtrim(substr(several.intent_key,
  ${sql.lit(SEVERAL_PREFIX.length + 1)} + slots.slot * ${sql.lit(SLOT_CHARS)}, ${sql.lit(SLOT_CHARS)}))`;
