/** Takes old excerpts out of lessons and out of the lessons that their history keeps. */
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
  { textBefore }: RetentionLimits,
  [after = '']: readonly string[],
): Promise<Stripped> {
  await engine.lock(trx, 'lesson', [LEARNING]);
  const query = trx.selectFrom('lessons').select(['id', 'document']).where('id', '>', after).orderBy('id');
  const rows = await query.limit(ROWS_PER_STEP).execute();
  let excerpts = 0;
  for (const { id, document } of rows) {
    const stripped = stripDocument(document, textBefore);
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
  const query = trx.selectFrom('lesson_history').select(['id', 'before', 'after']).where('id', '>', after);
  const rows = await query.orderBy('id').limit(ROWS_PER_STEP).execute();
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
