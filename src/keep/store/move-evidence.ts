/**
 * Findings and lessons say in which lines of a session file they were seen. When the file was written anew, they say where
 * the same calls stand now, and no line where these are gone: a wrong one would be worse. The excerpt stays.
 */
import type { Transaction } from 'kysely';
import type { Evidence, Lesson } from '../../base/lesson.ts';
import type { CallPlace, ReadAnew } from '../../base/read-anew.ts';
import type { DatabaseSchema } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { LEARNING } from './make-lesson-store.ts';

type Lines = NonNullable<Evidence['lines']>;

/** What evidence was seen with -> where it is now. */
type Moves = ReadonlyMap<string, Lines | undefined>;

export function moveEvidence(engine: Engine, anew: ReadAnew): Promise<void> {
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'lesson', [LEARNING]);
    const moves = await moveFindings(trx, anew);
    const rows = await trx.selectFrom('lessons').select(['id', 'document']).execute();
    for (const { id, document } of rows) {
      const moved = moveDocument(document, anew, moves);
      if (moved === document) continue;
      await trx.updateTable('lessons').set({ document: moved }).where('id', '=', id).execute();
      await moveHistory(trx, id, anew, moves);
    }
  });
}

async function moveFindings(trx: Transaction<DatabaseSchema>, { agent, file, calls }: ReadAnew): Promise<Moves> {
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

/** So that an undo brings no old lines back, nor takes the new ones for a change that somebody made. */
async function moveHistory(
  trx: Transaction<DatabaseSchema>,
  lessonId: string,
  anew: ReadAnew,
  moves: Moves,
): Promise<void> {
  const query = trx.selectFrom('lesson_history').select(['id', 'before', 'after']).where('lesson_id', '=', lessonId);
  for (const row of await query.execute()) {
    const before = row.before === null ? null : moveDocument(row.before, anew, moves);
    const after = moveDocument(row.after, anew, moves);
    if (before === row.before && after === row.after) continue;
    await trx.updateTable('lesson_history').set({ before, after }).where('id', '=', row.id).execute();
  }
}

/** The given document itself when nothing of it moves. */
function moveDocument(document: string, { agent, file }: ReadAnew, moves: Moves): string {
  // Parsing every lesson would be most of the work.
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
