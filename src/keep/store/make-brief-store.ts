/** What a project's next session should hear: failures that nothing settled, and sessions that never ended. */
import { sql } from 'kysely';
import type { Store, UnresolvedFailure } from '../../base/store.ts';
import type { Engine } from './engine.ts';
import { toSession } from './make-session-store.ts';
import { omitNull } from './omit-null.ts';

/** More than any brief has room for; the newest count. */
const MAX_FAILURES = 200;

export function makeBriefStore({ db }: Engine): Pick<Store, 'listUnresolved' | 'listOpenSessions' | 'markSurfaced'> {
  return {
    async listUnresolved(projectId, since) {
      const rows = await db
        .selectFrom('tool_outcomes as failed')
        .leftJoin('sessions', (join) =>
          join.onRef('sessions.agent', '=', 'failed.agent').onRef('sessions.session_id', '=', 'failed.session_id'),
        )
        .select(['failed.id', 'failed.input_summary', 'failed.exit_code', 'failed.output_summary', 'failed.message'])
        .select(['failed.signature_id', 'failed.occurred_at', 'failed.raw_tool_name', 'sessions.branch'])
        .where('failed.project_id', '=', projectId)
        .where('failed.outcome', '=', 'failure')
        .where('failed.masked', '=', 0)
        .where('failed.occurred_at', '>=', since)
        .where('failed.surfaced_at', 'is', null)
        .where('failed.resolved_at', 'is', null)
        .where(sql<boolean>`failed.intent_key is not null and not exists (
          select 1 from tool_outcomes as later
          where later.project_id = failed.project_id and later.intent_key = failed.intent_key
            and later.occurred_at > failed.occurred_at and later.outcome in ('success', 'partial'))`)
        .orderBy('failed.occurred_at', 'desc')
        .orderBy('failed.id', 'desc')
        .limit(MAX_FAILURES)
        .execute();
      return rows.reverse().map(toFailure);
    },
    async listOpenSessions(projectId) {
      const query = db.selectFrom('sessions').selectAll().where('project_id', '=', projectId);
      const rows = await query
        .where('ended_at', 'is', null)
        .where('pid', 'is not', null)
        .orderBy('last_seen_at')
        .execute();
      return rows.map(toSession);
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

interface FailureRow {
  id: string;
  input_summary: string | null;
  raw_tool_name: string;
  exit_code: number | null;
  output_summary: string | null;
  message: string | null;
  signature_id: string | null;
  occurred_at: string;
  branch: string | null;
}

function toFailure(row: FailureRow): UnresolvedFailure {
  return omitNull({
    id: row.id,
    command: row.input_summary ?? row.raw_tool_name,
    exitCode: row.exit_code,
    output: row.output_summary ?? row.message ?? '',
    signatureId: row.signature_id,
    branch: row.branch,
    at: row.occurred_at,
  });
}
