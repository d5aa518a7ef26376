/** The rows of those calls that are known already. */
import { type Kysely, sql } from 'kysely';
import type { CallRow, DatabaseSchema, ToldCallColumns } from './database-schema.ts';
import { toChunks } from './to-chunks.ts';

export async function findCallRows(
  db: Kysely<DatabaseSchema>,
  calls: readonly ToldCallColumns[],
): Promise<readonly CallRow[]> {
  const found: CallRow[] = [];
  for (const chunk of toChunks(calls)) {
    const keys = chunk.map((call) => sql`(${call.agent}, ${call.session_id}, ${call.call_id})`);
    const isAsked = sql<boolean>`(agent, session_id, call_id) in (values ${sql.join(keys)})`;
    found.push(...(await db.selectFrom('tool_outcomes').selectAll().where(isAsked).execute()));
  }
  return found;
}
