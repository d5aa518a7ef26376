/** The newest calls of a project, oldest first, with the little that a trigger is tried on: thousands are read at once. */
import { type Kysely, sql } from 'kysely';
import type { BriefCall } from '../../base/store.ts';
import type { CallRow, DatabaseSchema } from './database-schema.ts';
import { listAllIds } from './list-aliases.ts';

type Columns = Pick<CallRow, 'call_id' | 'input_summary' | 'outcome' | 'signature_id' | 'tool_name' | 'target_path'>;

export async function listPastCalls(
  db: Kysely<DatabaseSchema>,
  projectId: string,
  limit: number,
): Promise<readonly BriefCall[]> {
  const { rows } = await sql<Columns>`
    select call_id, input_summary, outcome, signature_id, tool_name, target_path from tool_outcomes
    where project_id in (${sql.join(await listAllIds(db, [projectId]))})
    order by occurred_at desc, id desc limit ${limit}
  `.execute(db);
  return rows.map(toBrief).reverse();
}

function toBrief(row: Columns): BriefCall {
  return {
    callId: row.call_id,
    command: row.input_summary ?? '',
    outcome: row.outcome,
    signatureId: row.signature_id ?? undefined,
    tool: row.tool_name,
    path: row.target_path ?? undefined,
  };
}
