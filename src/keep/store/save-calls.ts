/**
 * Saves what was told about calls. Read, merged here, then written: a batch costs a handful of statements however
 * large it is, and a batch that says nothing new (a transcript read again) writes nothing at all.
 */
import type { Transaction } from 'kysely';
import type { Call } from '../../base/call.ts';
import type { CallChange } from './call-change.ts';
import { isSameTold, toCallRow, toColumns, toToldColumns } from './call-row.ts';
import { countSignatures } from './count-signatures.ts';
import type { CallRow, DatabaseSchema, ToldCallColumns } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { findCallRows } from './find-call-rows.ts';
import type { IdSequence } from './id-sequence.ts';
import { linkCalls } from './link-calls.ts';
import { mergeTold } from './merge-call.ts';
import { saveSignatures } from './save-signatures.ts';
import { toPreceding } from './to-preceding.ts';
import { toStorableText } from './to-storable.ts';
import type { Row } from './upsert-rows.ts';

const KEY = ['agent', 'session_id', 'call_id'];

export async function saveCalls(
  engine: Engine,
  ids: IdSequence,
  calls: readonly Call[],
  how: 'observed' | 'hearsay',
): Promise<number> {
  if (calls.length === 0) return 0;
  const told = toDistinct(calls, how);
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(
      trx,
      'session',
      [...told.values()].map((row) => `${row.agent} ${row.session_id}`),
    );
    const known = await findCallRows(trx, [...told.values()], engine.toList);
    const changes = toChanges(told, known, how);
    if (changes.length === 0) return 0;

    const touched = toTouchedSignatures(changes);
    await engine.lock(trx, 'signature', touched);
    await saveSignatures(trx, calls, touched);
    await linkCalls(trx, await writeRows(engine, trx, ids, changes));
    await countSignatures(trx, touched);
    return changes.filter((change) => !change.known).length;
  });
}

/** Key -> what the whole batch says about that call. */
function toDistinct(calls: readonly Call[], how: 'observed' | 'hearsay'): Map<string, ToldCallColumns> {
  const rows = new Map<string, ToldCallColumns>();
  for (const call of calls) {
    const told = makeStorable(toToldColumns(call));
    const key = toKey(told);
    const earlier = rows.get(key);
    if (!earlier) rows.set(key, told);
    else if (how === 'observed') rows.set(key, mergeTold(earlier, told));
  }
  return rows;
}

function toChanges(
  told: ReadonlyMap<string, ToldCallColumns>,
  known: readonly CallRow[],
  how: 'observed' | 'hearsay',
): readonly CallChange[] {
  const knownByKey = new Map(known.map((row) => [toKey(row), row]));
  return [...told].flatMap(([key, row]): CallChange[] => {
    const old = knownByKey.get(key);
    if (!old) return [{ told: row }];
    if (how === 'hearsay') return [];
    const merged = mergeTold(old, row);
    return isSameTold(old, merged) ? [] : [{ known: old, told: merged }];
  });
}

/**
 * A known call keeps its id and our own columns: its new id goes no further than the conflict. Gives the changes whose
 * predecessors are still to be found.
 */
async function writeRows(
  engine: Engine,
  trx: Transaction<DatabaseSchema>,
  ids: IdSequence,
  changes: readonly CallChange[],
): Promise<readonly CallChange[]> {
  const newIds = ids('out', changes.length);
  const now = new Date().toISOString();
  const bare = changes.map(({ told }, i) => toCallRow(told, newIds[i] as string, now));
  const { rows, unlinked } = await toPreceding(trx, changes, bare);
  const [first] = changes;
  if (first === undefined || rows[0] === undefined) return [];
  await engine.upsert(
    trx,
    { table: 'tool_outcomes', columns: Object.keys(rows[0]), key: KEY, update: toColumns(first.told) },
    rows as unknown as readonly Row[],
  );
  return unlinked;
}

function toTouchedSignatures(changes: readonly CallChange[]): readonly string[] {
  const ids = changes.flatMap(({ known, told }) => [known?.signature_id, told.signature_id]);
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

/** No storable text has a NUL. */
function toKey({ agent, session_id, call_id }: ToldCallColumns): string {
  return `${agent}\0${session_id}\0${call_id}`;
}

function makeStorable(told: ToldCallColumns): ToldCallColumns {
  const columns = told as unknown as Record<string, unknown>;
  for (const column of Object.keys(columns)) {
    const value = columns[column];
    if (typeof value === 'string') columns[column] = toStorableText(value);
  }
  return told;
}
