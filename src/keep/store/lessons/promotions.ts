/** Stores promotions together with the entry in their lesson's history: both or neither. */
import type { Store } from '../../../base/contracts/store.ts';
import type { Promotion, PromotionFilter } from '../../../base/model/promotion.ts';
import { parseJson } from '../../../base/records.ts';
import { type Database, promotionColumns } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../projects.ts';
import { type IdSequence, toStorable } from '../row-values.ts';
import { upsertAll } from '../statements.ts';
import { lockLessons, writeLesson } from './lessons.ts';

export function makePromotionStore(engine: Engine, ids: IdSequence) {
  return {
    listPromotions: (filter = {}) => listPromotions(engine.db, filter),
    updatePromotions: (names, change) =>
      engine.db.transaction().execute(async (trx) => {
        const lessons = await lockLessons(engine, trx, names);
        const updates = toStorable(change(lessons, await listPromotions(trx, {})));
        for (const update of updates) {
          await upsertAll(engine, trx, { table: 'promotions', key: ['id'] }, [toRow(update.promotion)]);
          await writeLesson(engine, trx, ids, update.lesson, update.change);
        }
        return updates.map(({ promotion }) => promotion);
      }),
  } satisfies Partial<Store>;
}

async function listPromotions(db: Database, filter: PromotionFilter): Promise<readonly Promotion[]> {
  const { lessonId, projectId, state } = filter;
  let query = db.selectFrom('promotions').selectAll();
  if (lessonId !== undefined) query = query.where('lesson_id', '=', lessonId);
  if (projectId !== undefined) query = query.where('project_id', 'in', await listAllIds(db, [projectId]));
  if (state !== undefined) query = query.where('state', '=', state);
  const rows = await query.orderBy('id').execute();
  return rows.map((row) => ({
    ...promotionColumns.toFields(row),
    ...(row.made === null ? {} : { made: parseList(row.made) }),
  }));
}

function toRow(promotion: Promotion) {
  const made = promotion.made === undefined ? null : JSON.stringify(promotion.made);
  return { ...promotionColumns.toRow(promotion), made };
}

/** The manifest is compiled from these rows, so one broken row must not silence all lessons. */
function parseList(json: string): readonly string[] {
  const list = parseJson(json);
  return Array.isArray(list) ? list.map(String) : [];
}
