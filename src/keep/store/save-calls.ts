/**
 * Saves what was told about calls. Read, merged here, then written: a batch costs a handful of statements however
 * large it is, and a batch that says nothing new (a transcript read again) writes nothing at all.
 */
import type { Transaction } from 'kysely';
import type { Call } from '../../base/call.ts';
import type { CallChange } from './call-change.ts';
import { isSameTold, TEXT_AGE, toCallRow, toColumns, toToldColumns } from './call-row.ts';
import { countSignatures } from './count-signatures.ts';
import type { CallRow, DatabaseSchema, ToldCallColumns } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { findCallRows, findKnownSessions, toSessionKey } from './find-call-rows.ts';
import type { IdSequence } from './id-sequence.ts';
import { linkCalls } from './link-calls.ts';
import { mergeTold } from './merge-call.ts';
import { saveSignatures } from './save-signatures.ts';
import { toPreceding } from './to-preceding.ts';
import type { Row, Upsert } from './upsert-rows.ts';

const KEY = ['agent', 'session_id', 'call_id'];

export async function saveCalls(
  engine: Engine,
  ids: IdSequence,
  calls: readonly Call[],
  how: 'observed' | 'hearsay',
): Promise<number> {
  if (calls.length === 0) return 0;
  const told = toDistinct(calls, how);
  const sessions = Map.groupBy(told.values(), toSessionKey);
  const firsts = [...sessions.values()].flatMap(([first]) => first ?? []);
  return engine.db.transaction().execute(async (trx) => {
    const names = firsts.map((row) => `${row.agent} ${row.session_id}`);
    await engine.lock(trx, 'session', names);
    const knownSessions = await findKnownSessions(engine, trx, firsts);
    const known = new Map<string, CallRow>();
    for (const key of knownSessions)
      for (const row of await findCallRows(engine, trx, sessions.get(key) ?? [])) known.set(toKey(row), row);
    const changes = toChanges(told, known, how);
    if (changes.length === 0) return 0;

    const touched = toTouchedSignatures(changes);
    await engine.lock(trx, 'signature', touched);
    await saveSignatures(trx, calls, touched);
    await linkCalls(trx, await writeRows(engine, trx, ids, changes, knownSessions));
    await countSignatures(trx, touched);
    return changes.filter((change) => !change.known).length;
  });
}

/** Key -> what the whole batch says about that call. */
function toDistinct(calls: readonly Call[], how: 'observed' | 'hearsay'): Map<string, ToldCallColumns> {
  const rows = new Map<string, ToldCallColumns>();
  for (const call of calls) {
    const told = toToldColumns(call);
    const key = toKey(told);
    const earlier = rows.get(key);
    if (!earlier) rows.set(key, told);
    else if (how === 'observed') rows.set(key, mergeTold(earlier, told));
  }
  return rows;
}

function toChanges(
  told: ReadonlyMap<string, ToldCallColumns>,
  known: ReadonlyMap<string, CallRow>,
  how: 'observed' | 'hearsay',
): readonly CallChange[] {
  const changes: CallChange[] = [];
  for (const [key, row] of told) {
    const old = known.get(key);
    if (!old) changes.push({ told: row });
    if (!old || how === 'hearsay') continue;
    const merged = mergeTold(old, row);
    if (!isSameTold(old, merged)) changes.push({ known: old, told: merged });
  }
  return changes;
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
  knownSessions: ReadonlySet<string>,
): Promise<readonly CallChange[]> {
  const newIds = ids('out', changes.length);
  const now = new Date().toISOString();
  const bare = changes.map((change, i) => toCallRow(change, newIds[i] as string, now));
  const { rows, unlinked } = await toPreceding(trx, changes, bare, knownSessions);
  const [first] = changes;
  if (first === undefined || rows[0] === undefined) return [];
  const update = [...toColumns(first.told), ...TEXT_AGE];
  upsert ??= { table: 'tool_outcomes', columns: Object.keys(rows[0]), key: KEY, update };
  await engine.upsert(trx, upsert, rows as unknown as readonly Row[]);
  return unlinked;
}

/** The same for all: its text is made once. */
let upsert: Upsert | undefined;

function toTouchedSignatures(changes: readonly CallChange[]): readonly string[] {
  const ids = new Set<string>();
  for (const { known, told } of changes) {
    if (told.signature_id !== null) ids.add(told.signature_id);
    if (known !== undefined && known.signature_id !== null) ids.add(known.signature_id);
  }
  return [...ids];
}

function toKey(row: ToldCallColumns): string {
  return `${toSessionKey(row)}\0${row.call_id}`;
}
