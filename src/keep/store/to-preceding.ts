/**
 * Which call came before each new one, where that is plain: all calls of the context that are known came earlier. Then
 * it is written with the row; linking afterwards would write every row twice.
 */
import { type Kysely, sql } from 'kysely';
import { HOOK_TOOL_PREFIX } from '../../base/is-hook-run.ts';
import type { CallChange } from './call-change.ts';
import type { CallRow, DatabaseSchema, ToldCallColumns } from './database-schema.ts';
import { toSessionKey } from './find-call-rows.ts';

export interface Preceding {
  /** The rows, those that could be linked with their predecessor. */
  readonly rows: readonly CallRow[];
  /** Came into the middle of what is known: to be linked once they are written. */
  readonly unlinked: readonly CallChange[];
}

/** `rows` are those of `changes`, in their order. `knownSessions`: of others no call is stored, see `find-call-rows.ts`. */
export async function toPreceding(
  db: Kysely<DatabaseSchema>,
  changes: readonly CallChange[],
  rows: readonly CallRow[],
  knownSessions: ReadonlySet<string>,
): Promise<Preceding> {
  const unlinked: CallChange[] = [];
  for (const { added, told, isChanged } of groupByContext(changes, rows)) {
    added.sort(compareTime);
    const [first] = added;
    const isNew = first === undefined || !knownSessions.has(toSessionKey(first));
    const latest = isChanged || isNew ? undefined : await findLatest(db, first);
    if (isChanged || isHook(latest) || !isBefore(latest, first)) unlinked.push(...told);
    else link(added, latest?.id ?? null);
  }
  return { rows, unlinked };
}

interface Context {
  readonly added: CallRow[];
  readonly told: CallChange[];
  /** Some of it was known. */
  isChanged: boolean;
}

function groupByContext(changes: readonly CallChange[], rows: readonly CallRow[]): Iterable<Context> {
  const contexts = new Map<string, Context>();
  for (const [i, row] of rows.entries()) {
    const key = `${toSessionKey(row)}\0${row.context_id}`;
    const context = contexts.get(key) ?? { added: [], told: [], isChanged: false };
    contexts.set(key, context);
    const change = changes[i] as CallChange;
    context.added.push(row);
    context.told.push(change);
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

async function findLatest(db: Kysely<DatabaseSchema>, of: ToldCallColumns): Promise<Latest | undefined> {
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
