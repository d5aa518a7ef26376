/** Reads the content of a project's next brief: unsettled failures, refused calls, and sessions that never ended. */

import { sql } from 'kysely';
import type { GateRefusal, Store, UnendedSession, UnresolvedFailure, Unsettled } from '../../base/contracts/store.ts';
import type { Session } from '../../base/model/session.ts';
import { HOOK_TOOL_PREFIX } from '../../base/model/tool.ts';
import { compareTexts } from '../../base/records.ts';
import { listIntents } from '../../base/shell/intent.ts';
import { selectSettledBySeveral } from './calls/failures.ts';
import { type Database, sessionColumns } from './database-schema.ts';
import type { Engine } from './engines/engine.ts';
import { listAllIds } from './projects.ts';
import { omitNull } from './row-values.ts';

/** More than any brief has room for; the newest count. */
const MAX_FAILURES = 200;
/** A broken hook fails at every call, and its failures must not crowd out the calls. */
const MAX_HOOK_FAILURES = 500;

export function makeBriefStore({ db }: Engine) {
  return {
    async readUnsettled(projectId, since) {
      const ids = await listAllIds(db, [projectId]);
      return {
        failures: await listUnresolved(db, ids, since),
        refusals: await listRefusals(db, ids, since),
        open: await listOpenSessions(db, ids),
      };
    },
    async markSurfaced(ids, at) {
      if (ids.length === 0) return;
      await db
        .updateTable('tool_outcomes')
        .set({ surfaced_at: at })
        .where('id', 'in', ids)
        .where('surfaced_at', 'is', null)
        .execute();
    },
  } satisfies Partial<Store>;
}

async function listUnresolved(db: Database, ids: readonly string[], since: string): Promise<Unsettled['failures']> {
  const calls = await selectUnreportedFailures(db, ids, since)
    .where(sql<boolean>`t.intent_key is not null and not exists (
      select 1 from tool_outcomes as later
      where later.project_id in (${sql.join(ids)}) and later.intent_key = t.intent_key
        and later.occurred_at > t.occurred_at and later.outcome in ('success', 'partial'))`)
    .limit(MAX_FAILURES)
    .execute();
  const hooks = await selectUnreportedFailures(db, ids, since).where(BROKEN_HOOK).limit(MAX_HOOK_FAILURES).execute();
  const rows = [...(await dropSettled(db, ids, calls)), ...hooks];
  return rows.sort((a, b) => compareTexts(a.occurred_at, b.occurred_at) || compareTexts(a.id, b.id)).map(toFailure);
}

async function listRefusals(db: Database, ids: readonly string[], since: string): Promise<Unsettled['refusals']> {
  const refused = await selectUnreported(db, ids, since)
    .where('t.outcome', '=', 'denied')
    .where('t.outcome_type', 'in', [...BY_HOOK, ...BY_RULE])
    .where('t.intent_key', 'is not', null)
    .limit(MAX_FAILURES)
    .execute();
  const oldest = refused.at(-1);
  if (oldest === undefined) return [];
  const ran = await findLastRuns(db, ids, oldest.occurred_at);
  return refused.reverse().flatMap((row) => toRefusal(row, ran));
}

async function listOpenSessions(db: Database, ids: readonly string[]): Promise<Unsettled['open']> {
  const query = db.selectFrom('sessions').selectAll().where('project_id', 'in', ids);
  const rows = await query.where('ended_at', 'is', null).where('pid', 'is not', null).orderBy('last_seen_at').execute();
  const sessions = rows.map(sessionColumns.toFields);
  return Promise.all(sessions.map(async (session) => ({ ...session, ...(await findLastCommand(db, session)) })));
}

/** The last command of the session, if it is still stored. */
async function findLastCommand(
  db: Database,
  { agent, sessionId }: Session,
): Promise<Pick<UnendedSession, 'lastCommand'>> {
  const row = await db
    .selectFrom('tool_outcomes')
    .select('input_summary')
    .where('agent', '=', agent)
    .where('session_id', '=', sessionId)
    .where('tool_name', '=', 'shell')
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.input_summary == null ? {} : { lastCommand: row.input_summary };
}

/** Newest first, because the newest count if there are too many. */
function selectUnreported(db: Database, projectIds: readonly string[], since: string) {
  return db
    .selectFrom('tool_outcomes as t')
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.agent', '=', 't.agent').onRef('sessions.session_id', '=', 't.session_id'),
    )
    .select(['t.id', 't.input_summary', 't.exit_code', 't.output_summary', 't.message', 't.intent_key'])
    .select(['t.signature_id', 't.occurred_at', 't.tool_name', 't.raw_tool_name', 't.target_path', 't.outcome_type'])
    .select('sessions.branch')
    .where('t.project_id', 'in', projectIds)
    .where('t.occurred_at', '>=', since)
    .where('t.surfaced_at', 'is', null)
    .where('t.resolved_at', 'is', null)
    .orderBy('t.occurred_at', 'desc')
    .orderBy('t.id', 'desc');
}

function selectUnreportedFailures(db: Database, projectIds: readonly string[], since: string) {
  return selectUnreported(db, projectIds, since).where('t.outcome', '=', 'failure').where('t.masked', '=', 0);
}

/**
 * The names in `judge-facts.ts`; with `told-` if only the model's copy of the result is known. Our own refusals have
 * another name.
 */
const BY_HOOK: readonly string[] = ['hook-denial', 'told-hook-denial'];
const BY_RULE: readonly string[] = ['rule-denial', 'told-rule-denial'];

/** The last time that a call of an intent ran, by intent. A failed call counts too, because the gate let it pass. */
async function findLastRuns(
  db: Database,
  projectIds: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('tool_outcomes')
    .select((eb) => ['intent_key', eb.fn.max('occurred_at').as('at')])
    .where('project_id', 'in', projectIds)
    .where('occurred_at', '>', since)
    .where('outcome', 'in', ['success', 'partial', 'failure'])
    .where('intent_key', 'is not', null)
    .groupBy('intent_key')
    .execute();
  const last = new Map<string, string>();
  for (const { intent_key, at } of rows)
    for (const intent of listIntents(intent_key ?? '')) if ((last.get(intent) ?? '') < at) last.set(intent, at);
  return last;
}

function toRefusal(row: FailureRow, ran: ReadonlyMap<string, string>): readonly GateRefusal[] {
  const intents = listIntents(row.intent_key ?? '').filter((intent) => (ran.get(intent) ?? '') <= row.occurred_at);
  if (intents.length === 0) return [];
  const isShell = row.tool_name === 'shell';
  return [
    {
      id: row.id,
      by: BY_HOOK.includes(row.outcome_type) ? 'hook' : 'rule',
      command: isShell ? (row.input_summary ?? '') : `${row.raw_tool_name} ${row.target_path ?? ''}`.trim(),
      output: row.output_summary ?? '',
      intents,
      at: row.occurred_at,
    },
  ];
}

/** Runs of the user's hooks that broke. A run without an exit code refused on purpose. */
const BROKEN_HOOK = sql<boolean>`(t.raw_tool_name like ${sql.lit(`${HOOK_TOOL_PREFIX}%`)} and t.exit_code is not null)`;

/** Removes failures that a line of several commands settled. Usually none are left to check. */
async function dropSettled(
  db: Database,
  projectIds: readonly string[],
  failures: readonly FailureRow[],
): Promise<readonly FailureRow[]> {
  const oldest = failures.at(-1);
  if (oldest === undefined) return [];
  const settled = await selectSettledBySeveral(db)
    .where('several.project_id', 'in', projectIds)
    .where('several.occurred_at', '>', oldest.occurred_at)
    .execute();
  const last = new Map(settled.map(({ key, at }) => [key, at]));
  return failures.filter(({ intent_key, occurred_at }) => (last.get(intent_key ?? '') ?? '') <= occurred_at);
}

type FailureRow = Awaited<ReturnType<ReturnType<typeof selectUnreported>['execute']>>[number];

function toFailure(row: FailureRow): UnresolvedFailure {
  return omitNull({
    id: row.id,
    command: row.input_summary ?? row.raw_tool_name,
    hook: row.raw_tool_name.startsWith(HOOK_TOOL_PREFIX) ? row.raw_tool_name.slice(HOOK_TOOL_PREFIX.length) : null,
    exitCode: row.exit_code,
    output: row.output_summary ?? row.message ?? '',
    signatureId: row.signature_id,
    branch: row.branch,
    at: row.occurred_at,
  });
}
