/**
 * Queries failures: one by one (newest first), and the counts that every report shares. A failure is resolved when a
 * later call with the same intent key succeeds in the project (see `intent.ts`).
 */

import { type SelectQueryBuilder, sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import { makeToProjectId } from '../../../base/model/project.ts';
import { toSessionKey } from '../../../base/model/session.ts';
import { MAX_SLOTS, SEVERAL_PREFIX, SLOT_CHARS } from '../../../base/shell/intent.ts';
import { type FailureLedger, type LedgerCall, makeFailureCounter } from '../../../base/statistics/failure-ledger.ts';
import type { FailureFilter } from '../../../base/statistics/failures.ts';
import { listOfModel, toCondition } from '../conditions.ts';
import type { CallRow, Database, DatabaseSchema } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAliases } from '../projects.ts';
import { omitNull } from '../row-values.ts';
import { toTextRemoval, toTokens } from './calls.ts';

export function makeFailureStore({ db }: Engine) {
  return {
    async listFailedCalls(filter) {
      const rows = await (await selectFailures(db, filter))
        .leftJoin('sessions as x', (join) =>
          join.onRef('x.agent', '=', 't.agent').onRef('x.session_id', '=', 't.session_id'),
        )
        .select(['t.id', 't.occurred_at as at', 't.agent', 't.session_id as sessionId', 't.project_id as projectId'])
        .select(['t.tool_name as tool', 't.raw_tool_name as rawTool', 't.program', 't.input_summary as command'])
        .select(['t.exit_code as exitCode', 't.message', 't.signature_id as signature', 'x.branch'])
        .select(['t.masked', 't.text_removed as removed'])
        .orderBy('t.occurred_at', 'desc')
        .orderBy('t.id', 'desc')
        .limit(filter.limit)
        .execute();
      return rows.map(({ masked, removed, ...row }) =>
        omitNull({ ...row, masked: masked === 1, textRemoved: toTextRemoval(removed) }),
      );
    },
    countFailures: async (filter = {}) => (await readLedger(db, filter)).counts,
    readFailureLedger: (filter = {}) => readLedger(db, filter),
  } satisfies Partial<Store>;
}

/** The failures `t` of a filter. */
export async function selectFailures(db: Database, filter: FailureFilter): Promise<Failures> {
  const columns = {
    projectIds: 't.project_id',
    agent: 't.agent',
    sessionId: 't.session_id',
    since: 't.occurred_at',
    until: 't.occurred_at',
    signatures: 't.signature_id',
  };
  const { model, category } = filter;
  const isOfCategory = sql`t.signature_id in (select id from signatures where category = ${category})`;
  const others = [...listOfModel('t', model), ...(category === undefined ? [] : [isOfCategory])];
  const isAsked = await toCondition(db, filter, columns, ...others);
  const query = db.selectFrom('tool_outcomes as t').where('t.outcome', '=', 'failure').where(isAsked);
  return filter.unresolved === true ? whereUnsettled(db, query) : query;
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

type PlacedCall = LedgerCall & { readonly at: string };

/**
 * Sessions, calls, failures, repeats and avoidable failures, counted by the ledger that all reports share. Calls
 * outside the filter are read too, because they are the past of those inside.
 */
async function readLedger(db: Database, filter: Omit<FailureFilter, 'limit' | 'unresolved'>): Promise<FailureLedger> {
  const toProjectId = makeToProjectId(await listAliases(db));
  const counter = makeFailureCounter(await toSelection(db, filter, toProjectId), await toKindSelection(db, filter));
  for await (const rows of readPages(db)) for (const row of rows) counter.add(toLedgerCall(row, toProjectId));
  return { counts: counter.read(), fixes: counter.readFixes() };
}

type Selection = (call: LedgerCall) => boolean;

/** Whether a failed call is of the category and has one of the signatures. */
async function toKindSelection(
  db: Database,
  { category, signatures }: Pick<FailureFilter, 'category' | 'signatures'>,
): Promise<Selection> {
  const inCategory = category === undefined ? undefined : await listSignatureIds(db, category);
  return ({ signatureId = '' }) =>
    (inCategory?.has(signatureId) ?? true) && (signatures?.includes(signatureId) ?? true);
}

/** Whether a call is inside the filter. */
async function toSelection(
  db: Database,
  filter: Omit<FailureFilter, 'limit' | 'unresolved'>,
  toProjectId: (id: string) => string,
): Promise<Selection> {
  const { projectIds, agent, sessionId, since = '', until, model } = filter;
  const projects = projectIds && new Set(projectIds.map(toProjectId));
  const sessions = model === undefined ? undefined : await listSessionKeys(db, model);
  const isInTime = (at: string): boolean => at >= since && (until === undefined || at < until);
  const isThere = (call: LedgerCall): boolean =>
    (agent ?? call.agent) === call.agent &&
    (sessionId ?? call.sessionId) === call.sessionId &&
    (projects?.has(call.projectId) ?? true) &&
    (sessions?.has(toSessionKey(call)) ?? true);
  return (call) => isInTime((call as PlacedCall).at) && isThere(call);
}

async function listSessionKeys(db: Database, model: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sessions')
    .select(['agent', 'session_id as sessionId'])
    .where('model', '=', model)
    .execute();
  return new Set(rows.map(toSessionKey));
}

async function listSignatureIds(db: Database, category: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('signatures').select('id').where('category', '=', category).execute();
  return new Set(rows.map(({ id }) => id));
}

/** In the order of time. Whole pages, because waiting for each of many calls takes longer than counting them. */
async function* readPages(db: Database): AsyncGenerator<readonly Row[]> {
  let last = { at: '', id: '' };
  for (;;) {
    const { at, id } = last;
    const rows = await db
      .selectFrom('tool_outcomes')
      .select(['id', 'occurred_at as at', 'agent', 'session_id as sessionId', 'project_id as projectId', 'program'])
      .select(['context_id as contextId', 'raw_tool_name as rawTool', 'outcome', 'masked', 'intent_key as intentKey'])
      .select(['signature_id as signatureId', 'duration_ms', 'duration_source'])
      .select(['tokens_input', 'tokens_cached', 'tokens_output'])
      // As a pair, because SQLite searches its index for a pair, but reads all of it for the same in words.
      .where(({ eb, refTuple, tuple }) => eb(refTuple('occurred_at', 'id'), '>', tuple(at, id)))
      .orderBy('occurred_at')
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute();
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_ROWS) return;
    last = end;
  }
}

type Row = Pick<CallRow, 'duration_ms' | 'duration_source' | 'masked' | `tokens_${'input' | 'cached' | 'output'}`> & {
  [K in keyof Omit<PlacedCall, 'masked' | 'durationMs' | 'tokens'>]-?: undefined extends PlacedCall[K]
    ? Exclude<PlacedCall[K], undefined> | null
    : PlacedCall[K];
};

/** Field by field, because all calls pass through here whenever a report is asked for. */
function toLedgerCall(row: Row, toProjectId: (id: string) => string): PlacedCall {
  return {
    at: row.at,
    agent: row.agent,
    sessionId: row.sessionId,
    projectId: toProjectId(row.projectId),
    contextId: row.contextId ?? undefined,
    rawTool: row.rawTool,
    outcome: row.outcome,
    program: row.program ?? undefined,
    intentKey: row.intentKey ?? undefined,
    signatureId: row.signatureId ?? undefined,
    masked: row.masked === 1,
    // The time since the last call is not a duration.
    durationMs: row.duration_source === 'gap' ? undefined : (row.duration_ms ?? undefined),
    tokens: toTokens(row) ?? undefined,
  };
}

const DONE = ['success', 'partial'] as const;

/** For the failures `t`: no later success with the same intent key under any id of the project. Uses an index. */
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
