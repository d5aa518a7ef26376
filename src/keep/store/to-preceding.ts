/**
 * Which call came before each new one, where that is plain: all calls of the context that are known came earlier. Then
 * it is written with the row; linking afterwards would write every row twice.
 */
import { type Kysely, sql } from 'kysely';
import { HOOK_TOOL_PREFIX } from '../../base/is-hook-run.ts';
import type { CallChange } from './call-change.ts';
import type { CallRow, DatabaseSchema, ToldCallColumns } from './database-schema.ts';

export interface Preceding {
  /** The rows, those that could be linked with their predecessor. */
  readonly rows: readonly CallRow[];
  /** Came into the middle of what is known: to be linked once they are written. */
  readonly unlinked: readonly CallChange[];
}

/** `rows` are those of `changes`, in their order. */
export async function toPreceding(
  db: Kysely<DatabaseSchema>,
  changes: readonly CallChange[],
  rows: readonly CallRow[],
): Promise<Preceding> {
  const linked = new Map<CallRow, string | null>();
  const unlinked: CallChange[] = [];
  const contexts = Map.groupBy(
    changes.map((change, i) => ({ change, row: rows[i] as CallRow })),
    ({ row }) => JSON.stringify([row.agent, row.session_id, row.context_id]),
  );
  for (const [, items] of contexts) {
    const added = items.map((item) => item.row).sort(compareTime);
    const latest = items.some(({ change }) => change.known !== undefined) ? 'unknown' : await findLatest(db, added[0]);
    if (latest === 'unknown' || isHook(latest) || !isBefore(latest, added[0])) {
      unlinked.push(...items.map((item) => item.change));
      continue;
    }
    let before = latest?.id ?? null;
    for (const row of added) {
      linked.set(row, before);
      if (!isHook(row)) before = row.id;
    }
  }
  return { rows: rows.map((row) => toLinked(row, linked.get(row))), unlinked };
}

function toLinked(row: CallRow, before: string | null | undefined): CallRow {
  return before == null ? row : Object.assign(row, { preceding_tool_id: before });
}

type Latest = Pick<CallRow, 'id' | 'occurred_at' | 'raw_tool_name'>;

async function findLatest(db: Kysely<DatabaseSchema>, of: ToldCallColumns | undefined): Promise<Latest | undefined> {
  if (of === undefined) return undefined;
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
