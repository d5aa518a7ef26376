/** Removes forgotten evidence from lessons. A changed lesson starts a new history: the old one contains the text. */
import type { Evidence, Lesson } from '../../../base/model/lesson.ts';
import { type SessionKey, toSessionKey } from '../../../base/model/session.ts';
import type { DropEvidence, ForgetReport } from '../../../base/storage/forgotten.ts';
import type { CallRow, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { toRow } from '../lessons/lessons.ts';
import type { IdSequence } from '../row-values.ts';
import { toTime } from '../row-values.ts';

interface About {
  readonly at: string;
  readonly ids: IdSequence;
  readonly dropEvidence: DropEvidence;
  readonly keys: readonly SessionKey[];
  readonly calls: readonly CallRow[];
  readonly projectIds: readonly string[];
}

export async function forgetLessons(
  engine: Engine,
  trx: StoreTransaction,
  about: About,
): Promise<Pick<ForgetReport, 'lessons' | 'lessonsChanged'>> {
  const known = await trx.selectFrom('lessons').select('id').execute();
  await engine.lock(
    trx,
    'lesson',
    known.map(({ id }) => id),
  );
  const rows = await trx.selectFrom('lessons').select('document').orderBy('id').execute();
  const isForgotten = makeEvidenceTest(about);
  const counts = { lessons: 0, lessonsChanged: 0 };
  for (const { document } of rows) {
    const lesson: Lesson = JSON.parse(document);
    const left = isScoped(lesson, about) ? undefined : about.dropEvidence(lesson, isForgotten);
    if (left === lesson) continue;
    if (left === undefined) counts.lessons++;
    else counts.lessonsChanged++;
    await trx.deleteFrom('lesson_history').where('lesson_id', '=', lesson.id).execute();
    await forgetPromotions(trx, lesson.id, left === undefined);
    // A person's note may describe what is forgotten.
    await trx.updateTable('feedback').set({ note: null }).where('lesson_id', '=', lesson.id).execute();
    if (left === undefined) await remove(trx, lesson.id);
    else await change(trx, toChanged(left, about), about);
  }
  return counts;
}

/** Forgets lessons that a person named. Findings stay, so that the same calls do not teach them again. */
export async function forgetNamedLessons(
  engine: Engine,
  trx: StoreTransaction,
  ids: readonly string[],
): Promise<ForgetReport> {
  await engine.lock(trx, 'lesson', ids);
  const counts = { lessons: 0, deliveries: 0 };
  for (const id of ids) {
    const found = await trx.selectFrom('lessons').select('id').where('id', '=', id).executeTakeFirst();
    if (found === undefined) continue;
    const { count } = await trx
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('lesson_id', '=', id)
      .executeTakeFirstOrThrow();
    counts.lessons++;
    counts.deliveries += Number(count);
    await trx.deleteFrom('lesson_history').where('lesson_id', '=', id).execute();
    await forgetPromotions(trx, id, true);
    await trx.updateTable('findings').set({ lesson_id: null }).where('lesson_id', '=', id).execute();
    await remove(trx, id);
  }
  return {
    ...{ projects: 0, sessions: 0, calls: 0, signatures: 0, episodes: 0, lessonsChanged: 0, transcripts: 0 },
    ...{ ...counts, sessionKeys: [], projectIds: [] },
  };
}

async function remove(trx: StoreTransaction, lessonId: string): Promise<void> {
  await trx.deleteFrom('feedback').where('lesson_id', '=', lessonId).execute();
  await trx.deleteFrom('deliveries').where('lesson_id', '=', lessonId).execute();
  await trx.deleteFrom('missed_opportunities').where('lesson_id', '=', lessonId).execute();
  await trx.deleteFrom('lessons').where('id', '=', lessonId).execute();
}

/** A promoted text stays in its file and is recognized by its hash; only our copy of the words is removed. */
async function forgetPromotions(trx: StoreTransaction, lessonId: string, isGone: boolean): Promise<void> {
  const removed = trx.deleteFrom('promotions').where('lesson_id', '=', lessonId);
  await (isGone ? removed : removed.where('state', '!=', 'applied')).execute();
  await trx.updateTable('promotions').set({ text: '', text_before: null }).where('lesson_id', '=', lessonId).execute();
}

async function change(trx: StoreTransaction, lesson: Lesson, { at, ids }: About): Promise<void> {
  const { id, ...columns } = toRow(lesson);
  await trx.updateTable('lessons').set(columns).where('id', '=', id).execute();
  const history = {
    lesson_id: id,
    changed_by: 'oncebitten data forget',
    changed_at: at,
    reason: 'the forgotten evidence was removed; the history starts again',
    before: null,
    after: columns.document,
  };
  await trx
    .insertInto('lesson_history')
    .values(ids('hst', 1).map((historyId) => ({ id: historyId, ...history })))
    .execute();
}

function toChanged(lesson: Lesson, { projectIds, at }: About): Lesson {
  const projects = projectIds.length > 0 ? Math.max(1, lesson.projects - 1) : lesson.projects;
  return { ...lesson, projects, updatedAt: at };
}

function isScoped({ scope }: Lesson, { keys, projectIds }: About): boolean {
  if (scope.id === undefined) return false;
  if (scope.kind === 'project') return projectIds.includes(scope.id);
  return scope.kind === 'session' && keys.some(({ sessionId }) => sessionId === scope.id);
}

/** Evidence contains its session and time but not its project, so a call at that time identifies it. */
function makeEvidenceTest({ keys, calls }: About): (evidence: Evidence) => boolean {
  const sessions = new Set(keys.map(toSessionKey));
  const moments = new Set(calls.map((row) => `${row.agent}\n${row.session_id}\n${row.occurred_at}`));
  return ({ agent, sessionId, at }) =>
    sessions.has(`${agent}\n${sessionId}`) || moments.has(`${agent}\n${sessionId}\n${toTime(at)}`);
}
