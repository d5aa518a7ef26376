/**
 * Saves and deletes calls, with the signatures of their failures. Saving reads the known rows, merges the reports, and
 * writes the changes. A batch of any size costs a handful of statements, and a batch without news (a transcript read
 * again) writes nothing. Hooks, batches, transcripts and notifications report the same call in any order, so the merged
 * row must not depend on the order.
 */

import { sql } from 'kysely';
import type { Call } from '../../../base/model/call.ts';
import { toCategory } from '../../../base/text/failure-category.ts';
import type { CallRow, Database, ReportedCallColumns, SignatureRow, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { type IdSequence, toStorable } from '../row-values.ts';
import { type Row, toChunks, type Upsert } from '../statements.ts';
import { type CallChange, isSameReport, TEXT_AGE, toCallRow, toColumns, toReportedColumns } from './calls.ts';
import { findCallRows, findKnownSessions, linkCalls, toPreceding, toSessionKey } from './preceding-calls.ts';

const KEY = ['agent', 'session_id', 'call_id'];

export async function saveCalls(
  engine: Engine,
  ids: IdSequence,
  calls: readonly Call[],
  how: 'observed' | 'hearsay',
): Promise<number> {
  if (calls.length === 0) return 0;
  const reported = toDistinct(calls, how);
  const sessions = Map.groupBy(reported.values(), toSessionKey);
  const firsts = [...sessions.values()].flatMap(([first]) => first ?? []);
  return engine.db.transaction().execute(async (trx) => {
    const names = firsts.map((row) => `${row.agent} ${row.session_id}`);
    await engine.lock(trx, 'session', names);
    const knownSessions = await findKnownSessions(engine, trx, firsts);
    const known = new Map<string, CallRow>();
    for (const key of knownSessions)
      for (const row of await findCallRows(engine, trx, sessions.get(key) ?? [])) known.set(toKey(row), row);
    const changes = toChanges(reported, known, how);
    if (changes.length === 0) return 0;

    const touched = toTouchedSignatures(changes);
    await engine.lock(trx, 'signature', touched);
    await saveSignatures(trx, calls, touched);
    await linkCalls(trx, await writeRows(engine, trx, ids, changes, knownSessions));
    await countSignatures(trx, touched);
    // A call may be reported again without a secret in its message; then the old signature contains it, too.
    await deleteUnusedSignatures(trx, listReplaced(changes));
    return changes.filter((change) => !change.known).length;
  });
}

/** Key -> the merged reports of the batch about that call. */
function toDistinct(calls: readonly Call[], how: 'observed' | 'hearsay'): Map<string, ReportedCallColumns> {
  const rows = new Map<string, ReportedCallColumns>();
  for (const call of calls) {
    const reported = toReportedColumns(call);
    const key = toKey(reported);
    const earlier = rows.get(key);
    if (!earlier) rows.set(key, reported);
    else if (how === 'observed') rows.set(key, mergeReports(earlier, reported));
  }
  return rows;
}

function toChanges(
  reported: ReadonlyMap<string, ReportedCallColumns>,
  known: ReadonlyMap<string, CallRow>,
  how: 'observed' | 'hearsay',
): readonly CallChange[] {
  const changes: CallChange[] = [];
  for (const [key, row] of reported) {
    const old = known.get(key);
    if (!old) changes.push({ reported: row });
    if (!old || how === 'hearsay') continue;
    const merged = mergeReports(old, row);
    if (!isSameReport(old, merged)) changes.push({ known: old, reported: merged });
  }
  return changes;
}

/**
 * A known call keeps its id and our own columns; its new id is dropped on conflict. Returns the changes whose
 * predecessors are still unknown.
 */
async function writeRows(
  engine: Engine,
  trx: StoreTransaction,
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
  const update = [...toColumns(first.reported), ...TEXT_AGE];
  upsert ??= { table: 'tool_outcomes', columns: Object.keys(rows[0]), key: KEY, update };
  await engine.upsert(trx, upsert, rows as unknown as readonly Row[]);
  return unlinked;
}

/** The same for all rows, so its SQL text is made once. */
let upsert: Upsert | undefined;

function toTouchedSignatures(changes: readonly CallChange[]): readonly string[] {
  const ids = new Set<string>();
  for (const { known, reported } of changes) {
    if (reported.signature_id !== null) ids.add(reported.signature_id);
    if (known !== undefined && known.signature_id !== null) ids.add(known.signature_id);
  }
  return [...ids];
}

function listReplaced(changes: readonly CallChange[]): readonly string[] {
  return changes.flatMap(({ known, reported }) =>
    known?.signature_id && known.signature_id !== reported.signature_id ? [known.signature_id] : [],
  );
}

function toKey(row: ReportedCallColumns): string {
  return `${toSessionKey(row)}\0${row.call_id}`;
}

/** These columns belong together: the message of one outcome says nothing about another. */
const OUTCOME_COLUMNS = ['outcome', 'outcome_type', 'exit_code', 'masked', 'message', 'signature_id'] as const;

/** Weakest first: no end was seen; only the model's copy of the result; only started; no error reported; a fact. */
const STRENGTH: readonly RegExp[] = [/^no-end$/, /^told-/, /^background$/, /^no-error$/];

const DURATION_SOURCES = ['gap', 'paired', 'agent'];

/** Merges two reports of one call. The new report wins; fields that it lacks stay. */
function mergeReports(known: ReportedCallColumns, reported: ReportedCallColumns): ReportedCallColumns {
  const columns = Object.keys(reported) as (keyof ReportedCallColumns)[];
  const merged = Object.fromEntries(columns.map((column) => [column, reported[column] ?? known[column]]));
  return {
    ...(merged as unknown as ReportedCallColumns),
    ...mergeOutcome(known, reported),
    ...mergeDuration(known, reported),
    occurred_at: toEarlier(known, reported),
  };
}

function mergeOutcome(
  known: ReportedCallColumns,
  reported: ReportedCallColumns,
): Pick<ReportedCallColumns, (typeof OUTCOME_COLUMNS)[number]> {
  const [strong, weak] = toStrength(reported) >= toStrength(known) ? [reported, known] : [known, reported];
  const isSame = strong.outcome === weak.outcome;
  return Object.fromEntries(
    OUTCOME_COLUMNS.map((column) => [column, strong[column] ?? (isSame ? weak[column] : null)]),
  ) as unknown as ReportedCallColumns;
}

function toStrength({ outcome_type }: ReportedCallColumns): number {
  const at = STRENGTH.findIndex((type) => type.test(outcome_type));
  return at === -1 ? STRENGTH.length : at;
}

/** The better source; of two equal sources the longer duration, which saw more of the call. */
function mergeDuration(known: ReportedCallColumns, reported: ReportedCallColumns) {
  const better = toRank(reported) - toRank(known) || (reported.duration_ms ?? -1) - (known.duration_ms ?? -1);
  const { duration_ms, duration_source } = better > 0 ? reported : known;
  return { duration_ms, duration_source };
}

function toRank({ duration_source }: ReportedCallColumns): number {
  return duration_source === null ? -1 : DURATION_SOURCES.indexOf(duration_source);
}

/** A hook reports a call when it ends, a transcript when it began. The time of a batch counts only until then. */
function toEarlier(known: ReportedCallColumns, reported: ReportedCallColumns): string {
  const isHearsay = toStrength(known) === 1;
  return isHearsay || reported.occurred_at < known.occurred_at ? reported.occurred_at : known.occurred_at;
}

/**
 * Removes calls and what depends only on them: links between calls, counts of signatures, unused signatures. Resolves to
 * the number of removed signatures. The caller holds the locks of the calls' sessions.
 */
export async function deleteCalls(engine: Engine, trx: StoreTransaction, rows: readonly CallRow[]): Promise<number> {
  const signatures = [...new Set(rows.map((row) => row.signature_id).filter((id) => id !== null))];
  await engine.lock(trx, 'signature', signatures);
  for (const chunk of toChunks(rows)) {
    const keys = sql.join(chunk.map((row) => sql`(${row.agent}, ${row.session_id}, ${row.call_id})`));
    for (const table of [sql.table('episodes'), sql.table('findings')]) {
      await sql`delete from ${table} where (agent, session_id, failing_call_id) in (values ${keys})`.execute(trx);
      await sql`delete from ${table} where (agent, session_id, fixing_call_id) in (values ${keys})`.execute(trx);
    }
    const ids = chunk.map((row) => row.id);
    await trx.deleteFrom('tool_outcomes').where('id', 'in', ids).execute();
  }
  await linkCalls(
    trx,
    rows.map((reported) => ({ reported })),
  );
  await countSignatures(trx, signatures);
  return deleteUnusedSignatures(trx, signatures);
}

/** A known signature never changes: its id is a hash of its content. */
async function saveSignatures(db: Database, calls: readonly Call[], wanted: readonly string[]): Promise<void> {
  const isWanted = new Set(wanted);
  const rows = new Map<string, SignatureRow>();
  for (const { signature, tool } of calls) {
    if (signature && isWanted.has(signature.id)) rows.set(signature.id, toSignatureRow(signature, tool));
  }
  for (const chunk of toChunks([...rows.values()])) {
    await db
      .insertInto('signatures')
      .values(chunk)
      // Signatures from before there were categories get one when a failure is reported again.
      .onConflict((oc) =>
        oc
          .column('id')
          .doUpdateSet((eb) => ({ category: eb.ref('excluded.category') }))
          .where('signatures.category', 'is', null),
      )
      .execute();
  }
}

function toSignatureRow(signature: NonNullable<Call['signature']>, tool: Call['tool']): SignatureRow {
  const { id, version, template, program } = signature;
  const counters = { count: 0, sessions: 0, projects: 0, first: null, last: null };
  return toStorable({ id, version, template, program, tool, category: toCategory(signature), ...counters });
}

/** Recounts the failures of these signatures, because an incremented counter drifts when calls are reported again. */
async function countSignatures(db: Database, ids: readonly string[]): Promise<void> {
  for (const chunk of toChunks(ids)) {
    await sql`
      update signatures set (count, sessions, projects, first, last) = (
        select count(*), count(distinct agent || ' ' || session_id), count(distinct project_id),
          min(occurred_at), max(occurred_at)
        from tool_outcomes
        where signature_id = signatures.id and outcome = 'failure'
      )
      where id in (${sql.join(chunk)})
    `.execute(db);
  }
}

/** Resolves to the number of removed signatures. */
async function deleteUnusedSignatures(db: Database, ids: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const chunk of toChunks(ids)) {
    const { numDeletedRows } = await db
      .deleteFrom('signatures')
      .where('id', 'in', chunk)
      .where(sql<boolean>`not exists (select 1 from tool_outcomes where signature_id = signatures.id)`)
      .executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}
