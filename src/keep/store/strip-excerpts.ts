/**
 * Removes old excerpts from archived lessons and from their history. A lesson that is not archived keeps its excerpts:
 * its test, a promotion and a person who reviews it need them.
 */
import type { Transaction } from 'kysely';
import type { Lesson } from '../../base/lesson.ts';
import type { RetentionLimits } from '../../base/retention.ts';
import type { DatabaseSchema } from './database-schema.ts';
import type { Engine } from './engine.ts';
import { LEARNING } from './make-lesson-store.ts';

const ROWS_PER_STEP = 100;

interface Stripped {
  readonly counts: { readonly excerpts: number };
  readonly at?: readonly string[];
}

export async function stripLessons(
  engine: Engine,
  trx: Transaction<DatabaseSchema>,
  { textBefore, most }: RetentionLimits,
  [after = '']: readonly string[],
): Promise<Stripped> {
  await engine.lock(trx, 'lesson', [LEARNING]);
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

/** Not counted: they are the same excerpts. */
export async function stripHistory(
  trx: Transaction<DatabaseSchema>,
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
  // Parsing every lesson every day would be most of the work.
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
