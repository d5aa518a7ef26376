/** Stores feedback together with the change of its lesson: both or neither. */
import type { Store } from '../../../base/contracts/store.ts';
import type { Feedback, FeedbackFilter } from '../../../base/model/feedback.ts';
import type { ChangeHead } from '../../../base/model/lesson.ts';
import type { Database, FeedbackRow } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import type { IdSequence } from '../row-values.ts';
import { omitNull, toStorable } from '../row-values.ts';
import { fromExcluded } from '../statements.ts';
import { findAll, LEARNING_LOCK, toChangeHead, writeLesson } from './lessons.ts';

type FeedbackMethods = 'listFeedback' | 'updateFeedback' | 'saveCureFeedback';

export function makeFeedbackStore(engine: Engine, ids: IdSequence): Pick<Store, FeedbackMethods> {
  return {
    async saveCureFeedback(feedback) {
      const { id, lesson_id, delivery_id, said_by, ...columns } = toRow(toStorable(feedback));
      await engine.db
        .insertInto('feedback')
        .values({ id, lesson_id, delivery_id, said_by, ...columns })
        .onConflict((oc) =>
          oc
            .columns(['lesson_id', 'delivery_id', 'said_by'])
            .doUpdateSet(fromExcluded(Object.keys(columns) as (keyof typeof columns)[])),
        )
        .execute();
    },
    listFeedback: (filter = {}) => listFeedback(engine.db, filter),
    updateFeedback: (idOrSlug, decide) =>
      engine.db.transaction().execute(async (trx) => {
        const [known] = await findAll(trx, [idOrSlug]);
        if (known === undefined) return undefined;
        await engine.lock(trx, 'lesson', [known.id, LEARNING_LOCK]);
        const [lesson] = await findAll(trx, [known.id]);
        if (lesson === undefined) return undefined;
        const earlier = await listFeedback(trx, { lessonId: lesson.id });
        const decided = decide({ lesson, feedback: earlier, history: await listHeads(trx, lesson.id) });
        if (decided === undefined) return undefined;
        const { feedback, update } = toStorable(decided);
        await write(trx, feedback);
        if (update !== undefined) await writeLesson(trx, ids, update.lesson, update.change);
        return feedback;
      }),
  };
}

async function listFeedback(db: Database, { lessonId, deliveryId }: FeedbackFilter): Promise<readonly Feedback[]> {
  let query = db.selectFrom('feedback').selectAll();
  if (lessonId !== undefined) query = query.where('lesson_id', '=', lessonId);
  if (deliveryId !== undefined) query = query.where('delivery_id', '=', deliveryId);
  return (await query.orderBy('said_at').orderBy('id').execute()).map(toFeedback);
}

async function listHeads(db: Database, lessonId: string): Promise<readonly ChangeHead[]> {
  const rows = await db
    .selectFrom('lesson_history')
    .select(['id', 'lesson_id', 'changed_by', 'changed_at', 'reason', 'command'])
    .where('lesson_id', '=', lessonId)
    .orderBy('id')
    .execute();
  return rows.map(toChangeHead);
}

/** The table rejects a second row of one author about one delivery, because the decision has seen the first. */
async function write(db: Database, feedback: Feedback): Promise<void> {
  const { id, ...columns } = toRow(feedback);
  await db
    .insertInto('feedback')
    .values({ id, ...columns })
    .onConflict((oc) => oc.column('id').doUpdateSet(fromExcluded(Object.keys(columns) as (keyof typeof columns)[])))
    .execute();
}

function toRow(feedback: Feedback): FeedbackRow {
  return {
    id: feedback.id,
    lesson_id: feedback.lessonId,
    delivery_id: feedback.deliveryId ?? '',
    source: feedback.from,
    said_by: feedback.by,
    verdict: feedback.verdict,
    note: feedback.note ?? null,
    moved: feedback.moved,
    is_flagging: feedback.isFlagging ? 1 : 0,
    command: feedback.command,
    said_at: feedback.at,
  };
}

function toFeedback(row: FeedbackRow): Feedback {
  return omitNull({
    id: row.id,
    lessonId: row.lesson_id,
    deliveryId: row.delivery_id === '' ? null : row.delivery_id,
    from: row.source,
    by: row.said_by,
    verdict: row.verdict,
    note: row.note,
    moved: row.moved,
    isFlagging: row.is_flagging === 1,
    command: row.command,
    at: row.said_at,
  });
}
