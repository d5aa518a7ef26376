/** Stores promotions together with the entry in their lesson's history: both or neither. */
import type { Store } from '../../../base/contracts/store.ts';
import type { Promotion, PromotionFilter, PromotionUpdate } from '../../../base/model/promotion.ts';
import type { Database, PromotionRow } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../project-aliases.ts';
import type { IdSequence } from '../row-values.ts';
import { omitNull, toStorable } from '../row-values.ts';
import { fromExcluded } from '../statements.ts';
import { findAll, LEARNING_LOCK, writeLesson } from './lessons.ts';

export function makePromotionStore(
  engine: Engine,
  ids: IdSequence,
): Pick<Store, 'listPromotions' | 'updatePromotions'> {
  return {
    listPromotions: (filter = {}) => listPromotions(engine.db, filter),
    updatePromotions: (names, change) =>
      engine.db.transaction().execute(async (trx) => {
        const known = await findAll(trx, names);
        await engine.lock(trx, 'lesson', [...known.flatMap((lesson) => lesson?.id ?? []), LEARNING_LOCK]);
        const updates = toStorable(change(await findAll(trx, names), await listPromotions(trx, {})));
        for (const update of updates) await write(trx, ids, update);
        return updates.map(({ promotion }) => promotion);
      }),
  };
}

async function listPromotions(db: Database, filter: PromotionFilter): Promise<readonly Promotion[]> {
  const { lessonId, projectId, state } = filter;
  let query = db.selectFrom('promotions').selectAll();
  if (lessonId !== undefined) query = query.where('lesson_id', '=', lessonId);
  if (projectId !== undefined) query = query.where('project_id', 'in', await listAllIds(db, [projectId]));
  if (state !== undefined) query = query.where('state', '=', state);
  return (await query.orderBy('id').execute()).map(toPromotion);
}

async function write(db: Database, ids: IdSequence, update: PromotionUpdate): Promise<void> {
  const { id, ...columns } = toRow(update.promotion);
  await db
    .insertInto('promotions')
    .values({ id, ...columns })
    .onConflict((oc) => oc.column('id').doUpdateSet(fromExcluded(Object.keys(columns) as (keyof typeof columns)[])))
    .execute();
  await writeLesson(db, ids, update.lesson, update.change);
}

/** The manifest is compiled from these rows, so one broken row must not silence all lessons. */
function toList(json: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return [];
  }
}

function toRow(promotion: Promotion): PromotionRow {
  return {
    id: promotion.id,
    lesson_id: promotion.lessonId,
    project_id: promotion.projectId,
    root: promotion.root,
    target_file: promotion.file,
    state: promotion.state,
    text: promotion.text,
    written_hash: promotion.hash ?? null,
    text_before: promotion.before ?? null,
    made: promotion.made === undefined ? null : JSON.stringify(promotion.made),
    changed_by: promotion.by,
    changed_at: promotion.at,
    created_at: promotion.createdAt,
  };
}

function toPromotion(row: PromotionRow): Promotion {
  return omitNull({
    id: row.id,
    lessonId: row.lesson_id,
    projectId: row.project_id,
    root: row.root,
    file: row.target_file,
    state: row.state,
    text: row.text,
    hash: row.written_hash,
    before: row.text_before,
    made: row.made === null ? null : toList(row.made),
    by: row.changed_by,
    at: row.changed_at,
    createdAt: row.created_at,
  });
}
