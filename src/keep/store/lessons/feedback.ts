/** Stores feedback together with the change of its lesson: both or neither. */
import type { Store } from '../../../base/contracts/store.ts';
import type { Feedback, FeedbackFilter } from '../../../base/model/feedback.ts';
import type { ChangeHead } from '../../../base/model/lesson.ts';
import { changeColumns, type Database, type FeedbackRow, feedbackColumns } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { type IdSequence, toStorable } from '../row-values.ts';
import { upsertAll } from '../statements.ts';
import { lockLessons, writeLesson } from './lessons.ts';

export function makeFeedbackStore(engine: Engine, ids: IdSequence) {
  return {
    async saveCureFeedback(feedback) {
      const row = toRow(feedback);
      const key = ['lesson_id', 'delivery_id', 'said_by'];
      const update = Object.keys(row).filter((column) => column !== 'id' && !key.includes(column));
      await engine.db.transaction().execute((trx) => upsertAll(engine, trx, { table: 'feedback', key, update }, [row]));
    },
    listFeedback: (filter = {}) => listFeedback(engine.db, filter),
    updateFeedback: (idOrSlug, decide) =>
      engine.db.transaction().execute(async (trx) => {
        const [lesson] = await lockLessons(engine, trx, [idOrSlug]);
        if (lesson === undefined) return undefined;
        const earlier = await listFeedback(trx, { lessonId: lesson.id });
        const decided = decide({ lesson, feedback: earlier, history: await listHeads(trx, lesson.id) });
        if (decided === undefined) return undefined;
        const { feedback, update } = toStorable(decided);
        // The table rejects a second row of one author about one delivery, because the decision has seen the first.
        await upsertAll(engine, trx, { table: 'feedback', key: ['id'] }, [toRow(feedback)]);
        if (update !== undefined) await writeLesson(engine, trx, ids, update.lesson, update.change);
        return feedback;
      }),
  } satisfies Partial<Store>;
}

async function listFeedback(db: Database, { lessonId, deliveryId }: FeedbackFilter): Promise<readonly Feedback[]> {
  let query = db.selectFrom('feedback').selectAll();
  if (lessonId !== undefined) query = query.where('lesson_id', '=', lessonId);
  if (deliveryId !== undefined) query = query.where('delivery_id', '=', deliveryId);
  const rows = await query.orderBy('said_at').orderBy('id').execute();
  return rows.map(({ delivery_id: id, is_flagging, ...row }) => ({
    ...feedbackColumns.toFields(row),
    ...(id === '' ? {} : { deliveryId: id }),
    isFlagging: is_flagging === 1,
  }));
}

async function listHeads(db: Database, lessonId: string): Promise<readonly ChangeHead[]> {
  const rows = await db
    .selectFrom('lesson_history')
    .select(['id', 'lesson_id', 'changed_by', 'changed_at', 'reason', 'command'])
    .where('lesson_id', '=', lessonId)
    .orderBy('id')
    .execute();
  return rows.map(changeColumns.toFields);
}

function toRow(feedback: Feedback): FeedbackRow {
  const { deliveryId = '', isFlagging } = feedback;
  return { ...feedbackColumns.toRow(feedback), delivery_id: deliveryId, is_flagging: Number(isFlagging) };
}
