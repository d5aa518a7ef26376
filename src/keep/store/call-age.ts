/** The conditions by which rows are old, for counting and for removing alike. They stand in queries of `tool_outcomes`. */
import { sql } from 'kysely';

/** A call that is dated in the future tells nothing about its age: it is as old as its row. */
export function isBefore(time: string, now: string) {
  return sql<boolean>`(occurred_at < ${time} or occurred_at > ${now})`;
}

/** When its text came into the store. */
export function storedBefore(time: string) {
  return sql<boolean>`coalesce(text_at, created_at) < ${time}`;
}

/** The failing and the fixing calls of a lesson that is not archived: without them its test would turn against it. */
export const isEvidence = sql<boolean>`exists (select 1 from findings as f
  join lessons as l on l.id = f.lesson_id and l.status <> 'archived'
  where f.agent = tool_outcomes.agent and f.session_id = tool_outcomes.session_id
    and (f.failing_call_id = tool_outcomes.call_id or f.fixing_call_id = tool_outcomes.call_id))`;

/** Stands in a query of `sessions`: calls that were imported late, or belong to a lesson, keep their session. */
export const isSessionEmpty = sql<boolean>`not exists (select 1 from tool_outcomes as t
  where t.agent = sessions.agent and t.session_id = sessions.session_id)`;
