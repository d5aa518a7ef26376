/**
 * Maintains the evidence of findings and lessons: line numbers after a session file was rewritten, the projects each
 * lesson was learned in, and the removal of old excerpts. If a call is gone from the rewritten file, its evidence loses
 * the line but keeps the excerpt, because a wrong line is worse than none.
 */

import { sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import type { Evidence, Lesson } from '../../../base/model/lesson.ts';
import type { RetentionLimits } from '../../../base/storage/retention.ts';
import type { CallPlace, RewrittenFile } from '../../../base/storage/scan-state.ts';
import type { StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { LEARNING_LOCK, toLesson } from './lessons.ts';

type Lines = NonNullable<Evidence['lines']>;

/** The position of evidence when it was seen -> its position now. */
type Moves = ReadonlyMap<string, Lines | undefined>;

export function makeEvidenceStore(engine: Engine) {
  return {
    moveEvidence: (anew) =>
      engine.db.transaction().execute(async (trx) => {
        await engine.lock(trx, 'lesson', [LEARNING_LOCK]);
        const moves = await moveFindings(trx, anew);
        const rows = await trx.selectFrom('lessons').select(['id', 'document']).execute();
        for (const { id, document } of rows) {
          const moved = moveDocument(document, anew, moves);
          if (moved === document) continue;
          await trx.updateTable('lessons').set({ document: moved }).where('id', '=', id).execute();
          await moveHistory(trx, id, anew, moves);
        }
      }),
    listLessonProjects: (lessonIds) => listLessonProjects(engine, lessonIds),
  } satisfies Partial<Store>;
}

async function moveFindings(trx: StoreTransaction, { agent, file, calls }: RewrittenFile): Promise<Moves> {
  const places = new Map(calls.map((place) => [`${place.sessionId}\n${place.callId}`, place]));
  const moves = new Map<string, Lines | undefined>();
  const query = trx
    .selectFrom('findings')
    .select(['id', 'session_id', 'failing_call_id', 'fixing_call_id', 'from_line', 'to_line', 'found_at']);
  const rows = await query.where('agent', '=', agent).where('file', '=', file).execute();
  for (const row of rows) {
    const { session_id: session, from_line: from, to_line: to } = row;
    const failing = places.get(`${session}\n${row.failing_call_id}`);
    const fixing = places.get(`${session}\n${row.fixing_call_id}`);
    const now = toLines(failing, failing?.isReport === true ? failing : fixing);
    moves.set(toKey(session, row.found_at, from === null || to === null ? undefined : [from, to]), now);
    if (now?.[0] === (from ?? undefined) && now?.[1] === (to ?? undefined)) continue;
    const lines = { from_line: now?.[0] ?? null, to_line: now?.[1] ?? null };
    await trx.updateTable('findings').set(lines).where('id', '=', row.id).execute();
  }
  return moves;
}

function toLines(failing: CallPlace | undefined, fixing: CallPlace | undefined): Lines | undefined {
  if (failing === undefined || fixing === undefined) return undefined;
  return [Math.min(failing.line, fixing.line), Math.max(failing.line, fixing.line)];
}

/** Updates the history too, so that an undo neither restores old lines nor takes the new ones for a person's change. */
async function moveHistory(trx: StoreTransaction, lessonId: string, anew: RewrittenFile, moves: Moves): Promise<void> {
  const query = trx.selectFrom('lesson_history').select(['id', 'before', 'after']).where('lesson_id', '=', lessonId);
  for (const row of await query.execute()) {
    const before = row.before === null ? null : moveDocument(row.before, anew, moves);
    const after = moveDocument(row.after, anew, moves);
    if (before === row.before && after === row.after) continue;
    await trx.updateTable('lesson_history').set({ before, after }).where('id', '=', row.id).execute();
  }
}

/** Returns the given document itself if nothing moves. */
function moveDocument(document: string, { agent, file }: RewrittenFile, moves: Moves): string {
  // A quick test, because parsing every lesson would be most of the work.
  if (!document.includes(JSON.stringify(file))) return document;
  const lesson: Lesson = JSON.parse(document);
  let isMoved = false;
  const evidence = lesson.evidence.map((one) => {
    if (one.file !== file || one.agent !== agent) return one;
    const { lines, ...rest } = one;
    const now = moves.get(toKey(one.sessionId, one.at, lines));
    if (now?.[0] === lines?.[0] && now?.[1] === lines?.[1]) return one;
    isMoved = true;
    return now === undefined ? rest : { ...rest, lines: now };
  });
  return isMoved ? JSON.stringify({ ...lesson, evidence }) : document;
}

function toKey(sessionId: string, at: string, lines: Lines | undefined): string {
  return JSON.stringify([sessionId, at, lines ?? null]);
}

interface Place {
  readonly lesson: string;
  readonly project: string;
}

/** The projects that taught each lesson, from its findings and from the sessions of its evidence. */
async function listLessonProjects(
  { db, toList, toTable }: Engine,
  lessonIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  const add = ({ lesson, project }: Place): void =>
    void found.set(lesson, (found.get(lesson) ?? new Set()).add(project));
  if (lessonIds.length === 0) return found;
  const findings = await sql<Place>`
    select distinct lesson_id as lesson, project_id as project from findings where lesson_id in ${toList(lessonIds)}
  `.execute(db);
  findings.rows.forEach(add);
  const taught = sql<{ document: string }>`select document from lessons where id in ${toList(lessonIds)}`;
  const keys = (await taught.execute(db)).rows.flatMap(({ document }) => {
    const { id, evidence } = toLesson(document);
    return evidence.map(({ agent, sessionId }) => [id, agent, sessionId]);
  });
  const sessions = await sql<Place>`
    select distinct given.value ->> 0 as lesson, s.project_id as project from ${toTable(keys)} as given
    cross join sessions as s where s.agent = given.value ->> 1 and s.session_id = given.value ->> 2
  `.execute(db);
  sessions.rows.forEach(add);
  return found;
}

const ROWS_PER_STEP = 100;

interface Stripped {
  readonly counts: { readonly excerpts: number };
  readonly at?: readonly string[];
}

/**
 * Removes old excerpts from archived lessons and from their history. Other lessons keep their excerpts, because tests,
 * promotions and reviews need them.
 */
export async function stripLessons(
  engine: Engine,
  trx: StoreTransaction,
  { textBefore, most }: RetentionLimits,
  [after = '']: readonly string[],
): Promise<Stripped> {
  await engine.lock(trx, 'lesson', [LEARNING_LOCK]);
  const query = trx.selectFrom('lessons').select(['id', 'document']).where('id', '>', after).orderBy('id');
  const archived = query.where('status', '=', 'archived').where('updated_at', '<', textBefore);
  const rows = await archived.limit(ROWS_PER_STEP).execute();
  let excerpts = 0;
  for (const { id, document } of rows) {
    const stripped = stripDocument(document, textBefore);
    if (excerpts + stripped.excerpts > (most?.excerpts ?? Number.POSITIVE_INFINITY)) return { counts: { excerpts } };
    excerpts += stripped.excerpts;
    if (stripped.excerpts === 0) continue;
    await trx.updateTable('lessons').set({ document: stripped.document }).where('id', '=', id).execute();
  }
  return { counts: { excerpts }, ...toNext(rows) };
}

/** Not counted, because these are copies of the same excerpts. */
export async function stripHistory(
  _engine: Engine,
  trx: StoreTransaction,
  { textBefore }: RetentionLimits,
  [after = '']: readonly string[],
): Promise<Stripped> {
  const rows = await trx
    .selectFrom('lesson_history as h')
    .innerJoin('lessons as l', 'l.id', 'h.lesson_id')
    .select(['h.id', 'h.before', 'h.after'])
    .where('l.status', '=', 'archived')
    .where('l.updated_at', '<', textBefore)
    .where('h.id', '>', after)
    .orderBy('h.id')
    .limit(ROWS_PER_STEP)
    .execute();
  for (const row of rows) {
    const before = row.before === null ? undefined : stripDocument(row.before, textBefore);
    const now = stripDocument(row.after, textBefore);
    if ((before?.excerpts ?? 0) + now.excerpts === 0) continue;
    const columns = { before: before?.document ?? null, after: now.document };
    await trx.updateTable('lesson_history').set(columns).where('id', '=', row.id).execute();
  }
  return { counts: { excerpts: 0 }, ...toNext(rows) };
}

export function stripDocument(document: string, before: string): { document: string; excerpts: number } {
  // A quick test, because parsing every lesson every day would be most of the work.
  if (!document.includes('"excerpt":')) return { document, excerpts: 0 };
  const lesson: Lesson = JSON.parse(document);
  const isOld = (at: string): boolean => Date.parse(at) < Date.parse(before);
  let excerpts = 0;
  const evidence = lesson.evidence.map((one) => {
    const { excerpt, ...rest } = one;
    if (excerpt === undefined || !isOld(one.at)) return one;
    excerpts++;
    return rest;
  });
  return { document: excerpts === 0 ? document : JSON.stringify({ ...lesson, evidence }), excerpts };
}

function toNext(rows: readonly { readonly id: string }[]): { at?: readonly string[] } {
  const last = rows.at(-1);
  return rows.length < ROWS_PER_STEP || last === undefined ? {} : { at: [last.id] };
}
