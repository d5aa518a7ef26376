/**
 * Removes old calls, sessions and texts, and counts the rows that it would remove. Each step handles a few rows in one
 * short transaction and returns where to continue, so that nobody waits long for the store. A second run finds nothing
 * to remove.
 */

import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import {
  NOTHING_REMOVED,
  type RemovalCap,
  type RetentionCounts,
  type RetentionLimits,
} from '../../../base/storage/retention.ts';
import { deleteCalls } from '../calls/save-calls.ts';
import type { CallRow, Database, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { stripDocument, stripHistory, stripLessons } from '../lessons/evidence.ts';

const ROWS_PER_STEP = 500;

interface Piece {
  readonly counts: Partial<RetentionCounts>;
  /** Absent if this phase is done. */
  readonly at?: readonly string[];
}

type Phase = (engine: Engine, trx: StoreTransaction, limits: RetentionLimits, at: readonly string[]) => Promise<Piece>;

/** The failing and fixing calls of a lesson that is not archived; without them its test would turn against it. */
const isEvidence = sql<boolean>`exists (select 1 from findings as f
  join lessons as l on l.id = f.lesson_id and l.status <> 'archived'
  where f.agent = tool_outcomes.agent and f.session_id = tool_outcomes.session_id
    and (f.failing_call_id = tool_outcomes.call_id or f.fixing_call_id = tool_outcomes.call_id))`;

/** For a query of `sessions`: calls that were imported late, or that belong to a lesson, keep their session. */
const isSessionEmpty = sql<boolean>`not exists (select 1 from tool_outcomes as t
  where t.agent = sessions.agent and t.session_id = sessions.session_id)`;

const ALL = 1_000_000_000;

const TEXT_COLUMNS = ['id', 'occurred_at', 'message', 'input_summary', 'output_summary'] as const;

const PHASES: readonly Phase[] = [
  correctTimes,
  removeCalls,
  removeRows,
  removeOldText,
  removeTextBeyond,
  stripLessons,
  stripHistory,
];

export function makeRetentionStore(engine: Engine) {
  const { db } = engine;
  return {
    async retain(limits, { phase, at } = { phase: 0, at: [] }) {
      const run = PHASES[phase];
      if (run === undefined) return NOTHING_REMOVED;
      const piece = await db.transaction().execute((trx) => run(engine, trx, limits, at));
      const next = piece.at === undefined ? { phase: phase + 1, at: [] } : { phase, at: piece.at };
      return { ...NOTHING_REMOVED, ...piece.counts, ...(next.phase < PHASES.length ? { next } : {}) };
    },
    countRetention: (limits) => countRetention(db, limits),
    async countRemovable() {
      const { rows } = await sql<Omit<RemovalCap, 'excerpts'>>`
        select
          (select count(*) from tool_outcomes where ${HAS_TEXT}) as "texts",
          (select count(*) from tool_outcomes) as "calls",
          (select count(*) from sessions) as "sessions",
          (select count(*) from deliveries) as "deliveries"
      `.execute(db);
      const lessons = await db.selectFrom('lessons').select('document').execute();
      const excerpts = lessons.reduce((sum, { document }) => sum + document.split('"excerpt":').length - 1, 0);
      return { ...(rows[0] as Omit<RemovalCap, 'excerpts'>), excerpts };
    },
  } satisfies Partial<Store>;
}

/** Rows that were stored while the clock was ahead would stay until that time, so they count as stored today. */
async function correctTimes(_engine: Engine, trx: StoreTransaction, { now }: RetentionLimits): Promise<Piece> {
  const calls = trx.updateTable('tool_outcomes');
  await calls.set({ created_at: now }).where('created_at', '>', now).execute();
  await calls.set({ text_at: now }).where('text_at', '>', now).execute();
  await trx.updateTable('sessions').set({ created_at: now }).where('created_at', '>', now).execute();
  return { counts: {} };
}

async function removeCalls(
  engine: Engine,
  trx: StoreTransaction,
  { factsBefore, now, most }: RetentionLimits,
  at: readonly string[],
): Promise<Piece> {
  const room = Math.min(ROWS_PER_STEP, most?.calls ?? ROWS_PER_STEP);
  if (room === 0) return { counts: {} };
  const rows = await selectOldCalls(trx, factsBefore, now, at).selectAll().limit(room).execute();
  await engine.lock(
    trx,
    'session',
    rows.map((row) => `${row.agent} ${row.session_id}`),
  );
  const signatures = rows.length === 0 ? 0 : await deleteCalls(engine, trx, rows);
  return { counts: { calls: rows.length, signatures }, ...toNext(rows, room) };
}

/** Calls that no lesson was learned from, from `at` on, oldest first. */
function selectOldCalls(trx: StoreTransaction, before: string, now: string, at: readonly string[]) {
  return trx
    .selectFrom('tool_outcomes')
    .where(isBefore(before, now))
    .where(storedBefore(before))
    .where(sql<boolean>`not ${isEvidence}`)
    .where(isAfter(at))
    .orderBy('occurred_at')
    .orderBy('id');
}

/** Tables whose old rows are removed once their session is gone, with the column of their time. */
const OF_SESSIONS = [
  ['self_reports', 'said_at'],
  ['missed_opportunities', 'told_at'],
  ['added_texts', 'added_at'],
  ['cures', 'cured_at'],
  ['remembered_calls', 'failed_at'],
] as const;

/** Sessions and deliveries are few compared with calls. */
async function removeRows(
  _engine: Engine,
  trx: StoreTransaction,
  { factsBefore, now, most }: RetentionLimits,
): Promise<Piece> {
  const before = factsBefore;
  const sessions = await sql`
    delete from sessions where id in (select id from sessions
      where (last_seen_at < ${before} or last_seen_at > ${now}) and coalesce(created_at, '') < ${before} and ${isSessionEmpty}
      order by last_seen_at, id limit ${most?.sessions ?? ALL})
  `.execute(trx);
  const deliveries = await sql`
    delete from deliveries where id in (select id from deliveries
      where delivered_at < ${before} order by delivered_at, id limit ${most?.deliveries ?? ALL})
  `.execute(trx);
  for (const [table, time] of OF_SESSIONS)
    await sql`
      delete from ${sql.table(table)} where ${sql.ref(time)} < ${before} and not exists (select 1 from sessions as s
        where s.agent = ${sql.ref(`${table}.agent`)} and s.session_id = ${sql.ref(`${table}.session_id`)})
    `.execute(trx);
  await sql`delete from learn_packs where asked_at < ${before}`.execute(trx);
  const toNumber = ({ numAffectedRows = 0n }): number => Number(numAffectedRows);
  return { counts: { sessions: toNumber(sessions), deliveries: toNumber(deliveries) } };
}

async function removeOldText(
  _engine: Engine,
  trx: StoreTransaction,
  { textBefore, textDays, now, most }: RetentionLimits,
  at: readonly string[],
): Promise<Piece> {
  if (most?.texts === 0) return { counts: {} };
  const old = selectOldCalls(trx, textBefore, now, at);
  const rows = await old.select(TEXT_COLUMNS).limit(ROWS_PER_STEP).execute();
  const texts = await removeText(trx, rows, `textDays ${textDays}`, most?.texts);
  return { counts: { texts }, ...toNext(rows, ROWS_PER_STEP) };
}

/** `at`: the project and the position in it. */
async function removeTextBeyond(
  _engine: Engine,
  trx: StoreTransaction,
  limits: RetentionLimits,
  [project = '', ...at]: readonly string[],
): Promise<Piece> {
  if (limits.most?.texts === 0) return { counts: {} };
  const projectId = at.length > 0 ? project : await findNextProject(trx, limits, project);
  if (projectId === undefined) return { counts: {} };
  const mine = trx.selectFrom('tool_outcomes').select(TEXT_COLUMNS).where('project_id', '=', projectId);
  const newestFirst = mine.orderBy('occurred_at', 'desc').orderBy('id', 'desc');
  const last = await newestFirst.offset(limits.perProject).limit(1).executeTakeFirst();
  if (last === undefined) return { counts: {}, at: [projectId] };
  const rows = await mine
    .where(sql<boolean>`(occurred_at, id) <= (${last.occurred_at}, ${last.id})`)
    .where(storedBefore(limits.settledBefore))
    .where(sql<boolean>`not ${isEvidence}`)
    .where(isAfter(at))
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(ROWS_PER_STEP)
    .execute();
  const texts = await removeText(trx, rows, `perProject ${limits.perProject}`, limits.most?.texts);
  return { counts: { texts }, at: [projectId, ...(toNext(rows, ROWS_PER_STEP).at ?? [])] };
}

async function findNextProject(
  trx: StoreTransaction,
  { perProject }: RetentionLimits,
  after: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ project_id: string }>`
    select project_id from tool_outcomes where project_id > ${after}
    group by project_id having count(*) > ${perProject} order by project_id limit 1
  `.execute(trx);
  return rows[0]?.project_id;
}
type TextRow = Pick<CallRow, (typeof TEXT_COLUMNS)[number]>;

async function removeText(trx: StoreTransaction, rows: readonly TextRow[], why: string, most = ALL): Promise<number> {
  const ids = rows
    .filter((row) => row.message !== null || row.input_summary !== null || row.output_summary !== null)
    .slice(0, most)
    .map((row) => row.id);
  if (ids.length === 0) return 0;
  const nothing = { message: null, input_summary: null, output_summary: null, text_removed: why };
  await trx.updateTable('tool_outcomes').set(nothing).where('id', 'in', ids).execute();
  return ids.length;
}

function isAfter([occurredAt = '', id = '']: readonly string[]) {
  return sql<boolean>`(occurred_at, id) > (${occurredAt}, ${id})`;
}

function toNext(rows: readonly Pick<TextRow, 'occurred_at' | 'id'>[], room: number): { at?: readonly string[] } {
  const last = rows.at(-1);
  return rows.length < room || last === undefined ? {} : { at: [last.occurred_at, last.id] };
}

async function countRetention(db: Database, limits: RetentionLimits): Promise<RetentionCounts> {
  const { now, textBefore, factsBefore } = limits;
  const isGone = sql`${isBefore(factsBefore, now)} and ${storedBefore(factsBefore)} and not ${isEvidence}`;
  const isBare = sql`${isBefore(textBefore, now)} and ${storedBefore(textBefore)} and not ${isEvidence}`;
  const { rows } = await sql<Omit<RetentionCounts, 'excerpts'>>`
    select
      (select count(*) from tool_outcomes where ${HAS_TEXT} and ${isBare} and not (${isGone})) as "texts",
      (select count(*) from tool_outcomes where ${isGone}) as "calls",
      (select count(*) from sessions where
        (last_seen_at < ${factsBefore} or last_seen_at > ${now}) and coalesce(created_at, '') < ${factsBefore}
        and not exists (select 1 from tool_outcomes where agent = sessions.agent and session_id = sessions.session_id
          and not (${isGone}))) as "sessions",
      (select count(*) from deliveries where delivered_at < ${factsBefore}) as "deliveries",
      (select count(*) from signatures where
        exists (select 1 from tool_outcomes where signature_id = signatures.id) and not exists
        (select 1 from tool_outcomes where signature_id = signatures.id and not (${isGone}))) as "signatures"
  `.execute(db);
  const counts = rows[0] as Omit<RetentionCounts, 'excerpts'>;
  const texts = counts.texts + (await countBeyond(db, limits, isBare));
  const archived = db.selectFrom('lessons').select('document').where('status', '=', 'archived');
  const lessons = await archived.where('updated_at', '<', textBefore).execute();
  const excerpts = lessons.reduce((sum, { document }) => sum + stripDocument(document, textBefore).excerpts, 0);
  return { ...counts, texts, excerpts };
}

/**
 * Texts that are removed only because of the number of calls in their project. Few projects have so many, so the others
 * are not sorted.
 */
async function countBeyond(
  db: Database,
  { perProject, settledBefore }: RetentionLimits,
  isBare: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select *, row_number() over (partition by project_id order by occurred_at desc, id desc) as place
      from tool_outcomes where project_id in
        (select project_id from tool_outcomes group by project_id having count(*) > ${perProject})) as tool_outcomes
    where place > ${perProject} and ${HAS_TEXT} and ${storedBefore(settledBefore)} and not ${isEvidence}
      and not (${isBare})
  `.execute(db);
  return rows[0]?.n ?? 0;
}

const HAS_TEXT = sql`(message is not null or input_summary is not null or output_summary is not null)`;

/**
 * The conditions for old rows, for counting and removing alike, in queries of `tool_outcomes`. A call with a future
 * date counts as old as its row.
 */
function isBefore(time: string, now: string) {
  return sql<boolean>`(occurred_at < ${time} or occurred_at > ${now})`;
}

/** When its text was stored. */
function storedBefore(time: string) {
  return sql<boolean>`coalesce(text_at, created_at) < ${time}`;
}
