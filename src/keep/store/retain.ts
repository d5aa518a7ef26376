/**
 * Retention in bounded pieces: each call looks at the next few rows in one short transaction and says where to go on,
 * so that nobody waits long for the store. Done twice, it finds nothing.
 */
import { sql, type Transaction } from 'kysely';
import {
  NOTHING_REMOVED,
  type RetentionCounts,
  type RetentionLimits,
  type RetentionPoint,
  type RetentionStep,
} from '../../base/retention.ts';
import type { CallRow, DatabaseSchema } from './database-schema.ts';
import { deleteCalls } from './delete-calls.ts';
import type { Engine } from './engine.ts';
import { stripHistory, stripLessons } from './strip-excerpts.ts';

const ROWS_PER_STEP = 500;

interface Piece {
  readonly counts: Partial<RetentionCounts>;
  /** Absent when this phase is done. */
  readonly at?: readonly string[];
}

type Phase = (
  engine: Engine,
  trx: Transaction<DatabaseSchema>,
  limits: RetentionLimits,
  at: readonly string[],
) => Promise<Piece>;

const PHASES: readonly Phase[] = [
  removeCalls,
  removeRows,
  removeOldText,
  removeTextBeyond,
  (engine, trx, limits, at) => stripLessons(engine, trx, limits, at),
  (_engine, trx, limits, at) => stripHistory(trx, limits, at),
];

export async function retain(engine: Engine, limits: RetentionLimits, from?: RetentionPoint): Promise<RetentionStep> {
  const { phase, at } = from ?? { phase: 0, at: [] };
  const run = PHASES[phase];
  if (run === undefined) return NOTHING_REMOVED;
  const piece = await engine.db.transaction().execute((trx) => run(engine, trx, limits, at));
  const next = piece.at === undefined ? { phase: phase + 1, at: [] } : { phase, at: piece.at };
  return { ...NOTHING_REMOVED, ...piece.counts, ...(next.phase < PHASES.length ? { next } : {}) };
}

async function removeCalls(
  engine: Engine,
  trx: Transaction<DatabaseSchema>,
  { factsBefore }: RetentionLimits,
): Promise<Piece> {
  const query = trx.selectFrom('tool_outcomes').selectAll().where('occurred_at', '<', factsBefore);
  const rows = await query.orderBy('occurred_at').orderBy('id').limit(ROWS_PER_STEP).execute();
  await engine.lock(
    trx,
    'session',
    rows.map((row) => `${row.agent} ${row.session_id}`),
  );
  const signatures = rows.length === 0 ? 0 : await deleteCalls(engine, trx, rows);
  return { counts: { calls: rows.length, signatures }, ...(rows.length === ROWS_PER_STEP ? { at: [] } : {}) };
}

/** Sessions and deliveries are few beside calls. */
async function removeRows(
  _engine: Engine,
  trx: Transaction<DatabaseSchema>,
  { factsBefore }: RetentionLimits,
): Promise<Piece> {
  const sessions = await trx.deleteFrom('sessions').where('last_seen_at', '<', factsBefore).executeTakeFirst();
  const deliveries = await trx.deleteFrom('deliveries').where('delivered_at', '<', factsBefore).executeTakeFirst();
  await trx.deleteFrom('self_reports').where('said_at', '<', factsBefore).execute();
  await trx.deleteFrom('missed_opportunities').where('told_at', '<', factsBefore).execute();
  return {
    counts: { sessions: Number(sessions.numDeletedRows), deliveries: Number(deliveries.numDeletedRows) },
  };
}

async function removeOldText(
  _engine: Engine,
  trx: Transaction<DatabaseSchema>,
  { textBefore }: RetentionLimits,
  at: readonly string[],
): Promise<Piece> {
  const query = trx.selectFrom('tool_outcomes').select(TEXT_COLUMNS).where('occurred_at', '<', textBefore);
  const rows = await query.where(isAfter(at)).orderBy('occurred_at').orderBy('id').limit(ROWS_PER_STEP).execute();
  return { counts: { texts: await removeText(trx, rows) }, ...toNext(rows) };
}

/** `at`: the project and the place in it. */
async function removeTextBeyond(
  _engine: Engine,
  trx: Transaction<DatabaseSchema>,
  limits: RetentionLimits,
  [project = '', ...at]: readonly string[],
): Promise<Piece> {
  const projectId = at.length > 0 ? project : await findNextProject(trx, limits, project);
  if (projectId === undefined) return { counts: {} };
  const mine = trx.selectFrom('tool_outcomes').select(TEXT_COLUMNS).where('project_id', '=', projectId);
  const newestFirst = mine.orderBy('occurred_at', 'desc').orderBy('id', 'desc');
  const last = await newestFirst.offset(limits.perProject).limit(1).executeTakeFirst();
  if (last === undefined) return { counts: {}, at: [projectId] };
  const rows = await mine
    .where('occurred_at', '>=', limits.textBefore)
    .where(sql<boolean>`(occurred_at, id) <= (${last.occurred_at}, ${last.id})`)
    .where(isAfter(at))
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(ROWS_PER_STEP)
    .execute();
  return { counts: { texts: await removeText(trx, rows) }, at: [projectId, ...(toNext(rows).at ?? [])] };
}

async function findNextProject(
  trx: Transaction<DatabaseSchema>,
  { perProject }: RetentionLimits,
  after: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ project_id: string }>`
    select project_id from tool_outcomes where project_id > ${after}
    group by project_id having count(*) > ${perProject} order by project_id limit 1
  `.execute(trx);
  return rows[0]?.project_id;
}

const TEXT_COLUMNS = ['id', 'occurred_at', 'message', 'input_summary', 'output_summary'] as const;
type TextRow = Pick<CallRow, (typeof TEXT_COLUMNS)[number]>;

async function removeText(trx: Transaction<DatabaseSchema>, rows: readonly TextRow[]): Promise<number> {
  const ids = rows
    .filter((row) => row.message !== null || row.input_summary !== null || row.output_summary !== null)
    .map((row) => row.id);
  if (ids.length === 0) return 0;
  const nothing = { message: null, input_summary: null, output_summary: null };
  await trx.updateTable('tool_outcomes').set(nothing).where('id', 'in', ids).execute();
  return ids.length;
}

function isAfter([occurredAt = '', id = '']: readonly string[]) {
  return sql<boolean>`(occurred_at, id) > (${occurredAt}, ${id})`;
}

function toNext(rows: readonly TextRow[]): { at?: readonly string[] } {
  const last = rows.at(-1);
  return rows.length < ROWS_PER_STEP || last === undefined ? {} : { at: [last.occurred_at, last.id] };
}
