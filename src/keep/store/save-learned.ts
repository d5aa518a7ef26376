/**
 * A lesson together with the episode that taught it and the finding that tells of it: all or nothing. Several processes may learn at the same time, from
 * the same sessions: whoever decided from lessons that have changed since has to decide again.
 */
import { type Kysely, sql } from 'kysely';
import type { Learned, LearnedAs } from '../../base/store.ts';
import type { DatabaseSchema } from './database-schema.ts';
import type { Engine } from './engine.ts';
import type { IdSequence } from './id-sequence.ts';
import { hasEpisodes, writeEpisodes } from './make-episode-store.ts';
import { writeFindings } from './make-finding-store.ts';
import { LEARNING, writeLesson } from './make-lesson-store.ts';

export function saveLearned(engine: Engine, ids: IdSequence, learned: Learned): Promise<LearnedAs> {
  const { lesson, change, episode, finding, stamp, isAgain } = learned;
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'lesson', [lesson.id, LEARNING]);
    if (isAgain !== true && (await hasEpisodes(engine, trx, [episode]))[0]) return 'known';
    if ((await readLessonStamp(trx)) !== stamp) return 'stale';
    if (change !== undefined) await writeLesson(trx, ids, lesson, change);
    await writeEpisodes(engine, trx, [episode]);
    if (finding !== undefined) await writeFindings(engine, trx, [finding]);
    return 'saved';
  });
}

/** From the history, not from the lessons' own times: two changes may carry the same, or one of long ago. */
export async function readLessonStamp(db: Kysely<DatabaseSchema>): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select count(*) || ' ' || coalesce(max(id), '') as "stamp" from lesson_history
  `.execute(db);
  return rows[0]?.stamp ?? '';
}
