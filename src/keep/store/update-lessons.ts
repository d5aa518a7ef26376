/** Lessons are read, changed and saved in one transaction: whoever changes one knows what it is. */
import type { Kysely } from 'kysely';
import type { Lesson } from '../../base/lesson.ts';
import type { Store } from '../../base/store.ts';
import type { DatabaseSchema } from './database-schema.ts';
import type { Engine } from './engine.ts';
import type { IdSequence } from './id-sequence.ts';
import { findDocument, LEARNING, toLesson, writeLesson } from './make-lesson-store.ts';
import { toStorable } from './to-storable.ts';

type Change = Parameters<Store['updateLessons']>[1];

export function updateLessons(
  engine: Engine,
  ids: IdSequence,
  idsOrSlugs: readonly string[],
  change: Change,
): Promise<readonly Lesson[]> {
  return engine.db.transaction().execute(async (trx) => {
    // Whoever forgets has the lessons' own names only. A slug never moves to another lesson.
    const known = await findAll(trx, idsOrSlugs);
    await engine.lock(trx, 'lesson', [...known.flatMap((lesson) => lesson?.id ?? []), LEARNING]);
    const updates = toStorable(change(await findAll(trx, idsOrSlugs)));
    for (const update of updates) await writeLesson(trx, ids, update.lesson, update.change);
    return updates.map(({ lesson }) => lesson);
  });
}

export async function findAll(
  trx: Kysely<DatabaseSchema>,
  idsOrSlugs: readonly string[],
): Promise<readonly (Lesson | undefined)[]> {
  const found: (Lesson | undefined)[] = [];
  for (const name of idsOrSlugs) {
    const document = (await findDocument(trx, 'id', name)) ?? (await findDocument(trx, 'slug', name));
    found.push(document === undefined ? undefined : toLesson(document));
  }
  return found;
}
