/** Calls with their signatures, oldest first. */
import type { Kysely } from 'kysely';
import type { StoredCall } from '../../base/call.ts';
import type { CallFilter } from '../../base/store.ts';
import { toStoredCall } from './call-row.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { listAllIds } from './list-aliases.ts';

export async function listCalls(db: Kysely<DatabaseSchema>, filter: CallFilter): Promise<readonly StoredCall[]> {
  const { agent, sessionId, contextId, projectId, program, callId, limit } = filter;
  let query = db
    .selectFrom('tool_outcomes as t')
    .leftJoin('signatures as s', 's.id', 't.signature_id')
    .selectAll('t')
    .select(['s.version as signature_version', 's.template as signature_template', 's.program as signature_program']);
  if (agent !== undefined) query = query.where('t.agent', '=', agent);
  if (sessionId !== undefined) query = query.where('t.session_id', '=', sessionId);
  if (contextId !== undefined) query = query.where('t.context_id', '=', contextId);
  if (projectId !== undefined) query = query.where('t.project_id', 'in', await listAllIds(db, [projectId]));
  if (program !== undefined) query = query.where('t.program', '=', program);
  if (callId !== undefined) query = query.where('t.call_id', '=', callId);
  if (limit !== undefined) query = query.limit(limit);
  // Newest first, so that a limit keeps the newest.
  const rows = await query.orderBy('t.occurred_at', 'desc').orderBy('t.id', 'desc').execute();
  return rows.map(toStoredCall).reverse();
}
