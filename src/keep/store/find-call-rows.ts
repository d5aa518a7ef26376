/** The rows of those calls that are known already. */
import { type Kysely, sql } from 'kysely';
import type { CallRow, DatabaseSchema, ToldCallColumns } from './database-schema.ts';
import type { Engine } from './engine.ts';

export async function findCallRows(
  db: Kysely<DatabaseSchema>,
  calls: readonly ToldCallColumns[],
  toList: Engine['toList'],
): Promise<readonly CallRow[]> {
  const found: CallRow[] = [];
  for (const [, ofSession] of Map.groupBy(calls, (call) => `${call.agent}\0${call.session_id}`)) {
    const [first] = ofSession;
    if (first === undefined) continue;
    const ids = ofSession.map((call) => call.call_id);
    const { rows } = await sql<CallRow>`
      select * from tool_outcomes
      where agent = ${first.agent} and session_id = ${first.session_id} and call_id in ${toList(ids)}
    `.execute(db);
    found.push(...rows);
  }
  return found;
}
