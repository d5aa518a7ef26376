/** What is known of sessions whose calls are told. */
import { type Kysely, sql } from 'kysely';
import type { CallRow, DatabaseSchema, ToldCallColumns } from './database-schema.ts';
import type { Engine } from './engine.ts';

type SessionColumns = Pick<CallRow, 'agent' | 'session_id'>;

/** No storable text has a NUL. */
export function toSessionKey({ agent, session_id }: SessionColumns): string {
  return `${agent}\0${session_id}`;
}

/** Those of which any call is known: of the others, which are most when past sessions are read, nothing need be asked. */
export async function findKnownSessions(
  { toTable }: Engine,
  db: Kysely<DatabaseSchema>,
  sessions: readonly SessionColumns[],
): Promise<ReadonlySet<string>> {
  // Whoever asks about one has as few questions without.
  if (sessions.length < 2) return new Set(sessions.map(toSessionKey));
  const given = toTable(sessions.map(({ agent, session_id }) => [agent, session_id]));
  const { rows } = await sql<SessionColumns>`
    select value ->> 0 as agent, value ->> 1 as session_id from ${given} as given
    where exists (select 1 from tool_outcomes as t where t.agent = value ->> 0 and t.session_id = value ->> 1)
  `.execute(db);
  return new Set(rows.map(toSessionKey));
}

/** The rows of those calls that are known already. `calls` are of one session. */
export async function findCallRows(
  { toList }: Engine,
  db: Kysely<DatabaseSchema>,
  calls: readonly ToldCallColumns[],
): Promise<readonly CallRow[]> {
  const [first] = calls;
  if (first === undefined) return [];
  const ids = calls.map((call) => call.call_id);
  const { rows } = await sql<CallRow>`
    select * from tool_outcomes
    where agent = ${first.agent} and session_id = ${first.session_id} and call_id in ${toList(ids)}
  `.execute(db);
  return rows;
}
