/**
 * Points each call at the agent's call before it in its context; somebody's hook comes between none. Calls arrive late and out of order, so everything after the
 * earliest change of a context is linked anew; for a call that came in order that is the call alone.
 */
import { type Kysely, sql } from 'kysely';
import { HOOK_TOOL_PREFIX } from '../../base/is-hook-run.ts';
import type { CallChange } from './call-change.ts';
import type { DatabaseSchema, ToldCallColumns } from './database-schema.ts';

export async function linkCalls(db: Kysely<DatabaseSchema>, changes: readonly CallChange[]): Promise<void> {
  for (const from of toEarliest(changes)) {
    await sql`
      update tool_outcomes set preceding_tool_id = (
        select before.id from tool_outcomes as before
        where before.agent = tool_outcomes.agent
          and before.session_id = tool_outcomes.session_id
          and before.context_id = tool_outcomes.context_id
          and before.raw_tool_name not like ${`${HOOK_TOOL_PREFIX}%`}
          and (before.occurred_at, before.id) < (tool_outcomes.occurred_at, tool_outcomes.id)
        order by before.occurred_at desc, before.id desc
        limit 1
      )
      where agent = ${from.agent} and session_id = ${from.session_id} and context_id = ${from.context_id}
        and occurred_at >= ${from.occurred_at}
    `.execute(db);
  }
}

/** One row per context: the earliest that came or went. */
function toEarliest(changes: readonly CallChange[]): Iterable<ToldCallColumns> {
  const earliest = new Map<string, ToldCallColumns>();
  for (const row of changes.flatMap(toMoved)) {
    const key = JSON.stringify([row.agent, row.session_id, row.context_id]);
    const other = earliest.get(key);
    if (!other || row.occurred_at < other.occurred_at) earliest.set(key, row);
  }
  return earliest.values();
}

function toMoved({ known, told }: CallChange): readonly ToldCallColumns[] {
  if (!known) return [told];
  const stays = known.context_id === told.context_id && known.occurred_at === told.occurred_at;
  return stays ? [] : [known, told];
}
