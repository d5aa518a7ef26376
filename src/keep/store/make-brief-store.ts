/** What a project's next session should hear: failures that nothing settled, and sessions that never ended. */
import { type Kysely, sql } from 'kysely';
import { HOOK_TOOL_PREFIX } from '../../base/is-hook-run.ts';
import type { Session } from '../../base/session.ts';
import type { Store, UnendedSession, UnresolvedFailure } from '../../base/store.ts';
import type { DatabaseSchema } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { listAllIds } from './list-aliases.ts';
import { toSession } from './make-session-store.ts';
import { omitNull } from './omit-null.ts';
import { selectSettledBySeveral } from './settled-intents.ts';

/** More than any brief has room for; the newest count. */
const MAX_FAILURES = 200;
/** A broken hook fails at every call; they must not crowd out the calls. */
const MAX_HOOK_FAILURES = 500;

export function makeBriefStore({ db }: Engine): Pick<Store, 'listUnresolved' | 'listOpenSessions' | 'markSurfaced'> {
  return {
    async listUnresolved(projectId, since) {
      const ids = await listAllIds(db, [projectId]);
      const calls = await selectUntold(db, ids, since)
        .where(sql<boolean>`t.intent_key is not null and not exists (
          select 1 from tool_outcomes as later
          where later.project_id in (${sql.join(ids)}) and later.intent_key = t.intent_key
            and later.occurred_at > t.occurred_at and later.outcome in ('success', 'partial'))`)
        .limit(MAX_FAILURES)
        .execute();
      const hooks = await selectUntold(db, ids, since).where(BROKEN_HOOK).limit(MAX_HOOK_FAILURES).execute();
      const rows = [...(await dropSettled(db, ids, calls)), ...hooks];
      return rows.sort((a, b) => compare(a.occurred_at, b.occurred_at) || compare(a.id, b.id)).map(toFailure);
    },
    async listOpenSessions(projectId) {
      const ids = await listAllIds(db, [projectId]);
      const query = db.selectFrom('sessions').selectAll().where('project_id', 'in', ids);
      const rows = await query
        .where('ended_at', 'is', null)
        .where('pid', 'is not', null)
        .orderBy('last_seen_at')
        .execute();
      const sessions = rows.map(toSession);
      return Promise.all(sessions.map(async (session) => ({ ...session, ...(await findLastCommand(db, session)) })));
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
  };
}

/** What the session did last, as far as it was kept. */
async function findLastCommand(
  db: Kysely<DatabaseSchema>,
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

/** Newest first, because the newest count where there are too many. */
function selectUntold(db: Kysely<DatabaseSchema>, projectIds: readonly string[], since: string) {
  return db
    .selectFrom('tool_outcomes as t')
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.agent', '=', 't.agent').onRef('sessions.session_id', '=', 't.session_id'),
    )
    .select(['t.id', 't.input_summary', 't.exit_code', 't.output_summary', 't.message', 't.intent_key'])
    .select(['t.signature_id', 't.occurred_at', 't.raw_tool_name', 'sessions.branch'])
    .where('t.project_id', 'in', projectIds)
    .where('t.outcome', '=', 'failure')
    .where('t.masked', '=', 0)
    .where('t.occurred_at', '>=', since)
    .where('t.surfaced_at', 'is', null)
    .where('t.resolved_at', 'is', null)
    .orderBy('t.occurred_at', 'desc')
    .orderBy('t.id', 'desc');
}

/** Runs of other people's hooks that broke. One without an exit code said no on purpose. */
const BROKEN_HOOK = sql<boolean>`(t.raw_tool_name like ${sql.lit(`${HOOK_TOOL_PREFIX}%`)} and t.exit_code is not null)`;

/** Without those that a line which did several things settled. Mostly there is nothing left to ask for. */
async function dropSettled(
  db: Kysely<DatabaseSchema>,
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

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

type FailureRow = Awaited<ReturnType<ReturnType<typeof selectUntold>['execute']>>[number];

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
