/**
 * Links each call to the agent's call before it in the same context. If all known calls of the context are earlier, the
 * link is written with the new row, because linking afterwards would write every row twice. If calls arrive late or out
 * of order, every call after the earliest change of the context is linked again. A run of the user's hook is never a
 * predecessor.
 */

import { sql } from 'kysely';
import { HOOK_TOOL_PREFIX } from '../../../base/model/tool.ts';
import type { CallRow, Database, ReportedCallColumns } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import type { CallChange } from './calls.ts';

interface Preceding {
  /** The rows; those that could be linked contain their predecessor. */
  readonly rows: readonly CallRow[];
  /** Rows between known ones, to be linked after they are written. */
  readonly unlinked: readonly CallChange[];
}

/** `rows` belong to `changes`, in the same order. `knownSessions`: the store has no calls of any other session. */
export async function toPreceding(
  db: Database,
  changes: readonly CallChange[],
  rows: readonly CallRow[],
  knownSessions: ReadonlySet<string>,
): Promise<Preceding> {
  const unlinked: CallChange[] = [];
  for (const { added, reported, isChanged } of groupByContext(changes, rows)) {
    added.sort(compareTime);
    const [first] = added;
    const isNew = first === undefined || !knownSessions.has(toSessionKey(first));
    const latest = isChanged || isNew ? undefined : await findLatest(db, first);
    if (isChanged || isHook(latest) || !isBefore(latest, first)) unlinked.push(...reported);
    else link(added, latest?.id ?? null);
  }
  return { rows, unlinked };
}

interface Context {
  readonly added: CallRow[];
  readonly reported: CallChange[];
  /** Some of its calls were known. */
  isChanged: boolean;
}

function groupByContext(changes: readonly CallChange[], rows: readonly CallRow[]): Iterable<Context> {
  const contexts = new Map<string, Context>();
  for (const [i, row] of rows.entries()) {
    const key = `${toSessionKey(row)}\0${row.context_id}`;
    const context = contexts.get(key) ?? { added: [], reported: [], isChanged: false };
    contexts.set(key, context);
    const change = changes[i] as CallChange;
    context.added.push(row);
    context.reported.push(change);
    context.isChanged ||= change.known !== undefined;
  }
  return contexts.values();
}

function link(added: readonly CallRow[], latest: string | null): void {
  let before = latest;
  for (const row of added) {
    row.preceding_tool_id = before;
    if (!isHook(row)) before = row.id;
  }
}

type Latest = Pick<CallRow, 'id' | 'occurred_at' | 'raw_tool_name'>;

async function findLatest(db: Database, of: ReportedCallColumns): Promise<Latest | undefined> {
  const { rows } = await sql<Latest>`
    select id, occurred_at, raw_tool_name from tool_outcomes
    where agent = ${of.agent} and session_id = ${of.session_id} and context_id = ${of.context_id}
    order by occurred_at desc, id desc limit 1
  `.execute(db);
  return rows[0];
}

function isHook(row: Latest | undefined): boolean {
  return row?.raw_tool_name.startsWith(HOOK_TOOL_PREFIX) === true;
}

function isBefore(latest: Latest | undefined, first: Latest | undefined): boolean {
  return latest === undefined || first === undefined || compareTime(latest, first) < 0;
}

function compareTime(a: Latest, b: Latest): number {
  if (a.occurred_at !== b.occurred_at) return a.occurred_at < b.occurred_at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Links everything after the earliest change of a context again. For a call that arrived in order, that is the call. */
export async function linkCalls(db: Database, changes: readonly CallChange[]): Promise<void> {
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

/** One row per context: the earliest that was added or removed. */
function toEarliest(changes: readonly CallChange[]): Iterable<ReportedCallColumns> {
  const earliest = new Map<string, ReportedCallColumns>();
  for (const row of changes.flatMap(toMoved)) {
    const key = JSON.stringify([row.agent, row.session_id, row.context_id]);
    const other = earliest.get(key);
    if (!other || row.occurred_at < other.occurred_at) earliest.set(key, row);
  }
  return earliest.values();
}

function toMoved({ known, reported }: CallChange): readonly ReportedCallColumns[] {
  if (!known) return [reported];
  const stays = known.context_id === reported.context_id && known.occurred_at === reported.occurred_at;
  return stays ? [] : [known, reported];
}

type SessionColumns = Pick<CallRow, 'agent' | 'session_id'>;

/** A key for a session. No storable text contains a NUL. */
export function toSessionKey({ agent, session_id }: SessionColumns): string {
  return `${agent}\0${session_id}`;
}

/** The sessions with known calls. Most sessions of a scan have none, which saves further queries about them. */
export async function findKnownSessions(
  { toTable }: Engine,
  db: Database,
  sessions: readonly SessionColumns[],
): Promise<ReadonlySet<string>> {
  // For a single session, the query would save nothing.
  if (sessions.length < 2) return new Set(sessions.map(toSessionKey));
  const given = toTable(sessions.map(({ agent, session_id }) => [agent, session_id]));
  const { rows } = await sql<SessionColumns>`
    select value ->> 0 as agent, value ->> 1 as session_id from ${given} as given
    where exists (select 1 from tool_outcomes as t where t.agent = value ->> 0 and t.session_id = value ->> 1)
  `.execute(db);
  return new Set(rows.map(toSessionKey));
}

/** The rows of those calls that are already known. `calls` belong to one session. */
export async function findCallRows(
  { toList }: Engine,
  db: Database,
  calls: readonly ReportedCallColumns[],
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
