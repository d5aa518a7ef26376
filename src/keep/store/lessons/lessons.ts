/**
 * Stores lessons and the history of their changes. An update reads, changes and saves lessons in one transaction, so
 * that nobody changes a lesson from an outdated copy. A lesson that was learned is saved together with its finding:
 * `saveLearned` in `findings.ts`.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { KeptChange, Lesson, LessonChange } from '../../../base/model/lesson.ts';
import {
  changeColumns,
  type Database,
  type LessonHistoryRow,
  type LessonRow,
  lessonColumns,
  type StoreTransaction,
} from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { type IdSequence, toLaterId, toStorable } from '../row-values.ts';
import { upsertAll } from '../statements.ts';
import { redactLesson } from './redact-lesson.ts';

export function makeLessonStore(engine: Engine, ids: IdSequence) {
  const { db } = engine;
  const toLessons = makeLessonParser();
  return {
    saveLesson: (lesson, change) =>
      db.transaction().execute(async (trx) => {
        await engine.lock(trx, 'lesson', [lesson.id, LEARNING_LOCK]);
        await writeLesson(engine, trx, ids, lesson, change);
      }),
    updateLessons: (idsOrSlugs, change) =>
      db.transaction().execute(async (trx) => {
        const updates = toStorable(change(await lockLessons(engine, trx, idsOrSlugs)));
        for (const update of updates) await writeLesson(engine, trx, ids, update.lesson, update.change);
        return updates.map(({ lesson }) => lesson);
      }),
    findLesson: (idOrSlug) => findLesson(db, idOrSlug),
    async findLessonAt(id, at) {
      const all = db.selectFrom('lesson_history').select('after').where('lesson_id', '=', id).limit(1);
      const before = await all.where('changed_at', '<=', at).orderBy('id', 'desc').executeTakeFirst();
      const found = before ?? (await all.orderBy('id').executeTakeFirst());
      return found && toLesson(found.after);
    },
    async listLessons({ status } = {}) {
      let query = db.selectFrom('lessons').select('document');
      if (status !== undefined) query = query.where('status', '=', status);
      const rows = await query.orderBy('priority', 'desc').orderBy('confidence', 'desc').orderBy('slug').execute();
      return toLessons(rows.map((row) => row.document));
    },
    async listLessonHistory(lessonId) {
      const query = db.selectFrom('lesson_history').selectAll().where('lesson_id', '=', lessonId);
      return (await query.orderBy('id').execute()).map(toChange);
    },
    async listChangesBy(by) {
      const rows = await db
        .selectFrom('lesson_history')
        .select(['id', 'lesson_id', 'changed_by', 'changed_at', 'reason', 'command'])
        .where((eb) =>
          eb.or([
            eb('changed_by', '=', by),
            eb('reason', 'like', 'undo of hst%'),
            eb('reason', 'like', 'redo of hst%'),
          ]),
        )
        .orderBy('id', 'desc')
        .execute();
      return rows.map(changeColumns.toFields);
    },
    async listChangesOf({ command, by, at }) {
      const all = db.selectFrom('lesson_history').selectAll();
      const query =
        command === undefined
          ? all.where('command', 'is', null).where('changed_by', '=', by).where('changed_at', '=', at)
          : all.where('command', '=', command);
      return (await query.orderBy('id').execute()).map(toChange);
    },
  } satisfies Partial<Store>;
}

/** More would cost more memory than the time is worth. */
const MAX_PARSED = 1_000;

/** Learning lists the lessons again and again while few change, so only changed documents are parsed. */
function makeLessonParser(): (documents: readonly string[]) => readonly Lesson[] {
  let known: ReadonlyMap<string, Lesson> = new Map();
  return (documents) => {
    const lessons = documents.map((document) => known.get(document) ?? toLesson(document));
    const isMany = documents.length > MAX_PARSED;
    known = new Map(isMany ? [] : documents.map((document, i) => [document, lessons[i] as Lesson]));
    return lessons;
  };
}

/** The name of the lock for changes of any lesson: see `findings.ts`. */
export const LEARNING_LOCK = 'learning';

/**
 * The current versions of lessons, which nobody else changes until the transaction ends. `forget` locks only the ids of
 * lessons. A slug never moves to another lesson.
 */
export async function lockLessons(
  engine: Engine,
  trx: StoreTransaction,
  idsOrSlugs: readonly string[],
): Promise<readonly (Lesson | undefined)[]> {
  const findAll = async () => {
    const found: (Lesson | undefined)[] = [];
    for (const name of idsOrSlugs) found.push(await findLesson(trx, name));
    return found;
  };
  const known = await findAll();
  await engine.lock(trx, 'lesson', [...known.flatMap((lesson) => lesson?.id ?? []), LEARNING_LOCK]);
  return findAll();
}

export async function writeLesson(
  engine: Engine,
  trx: StoreTransaction,
  ids: IdSequence,
  unchecked: Lesson,
  change: LessonChange,
): Promise<void> {
  const given = redactLesson(unchecked);
  const before = (await findDocument(trx, 'id', given.id)) ?? null;
  const row = toRow(before === null ? given : keepLastMatch(given, toLesson(before)));
  await upsertAll(engine, trx, { table: 'lessons', key: ['id'] }, [row]);
  const query = trx.selectFrom('lesson_history').select('id').where('lesson_id', '=', row.id);
  const last = await query.orderBy('id', 'desc').limit(1).executeTakeFirst();
  const id = toLaterId(ids('hst', 1)[0] as string, last?.id);
  await trx
    .insertInto('lesson_history')
    .values({ ...changeColumns.toRow({ ...change, id, lessonId: row.id }), before, after: row.document })
    .execute();
}

/** Deliveries update this time outside of changes, so a change must not set it back. */
function keepLastMatch(lesson: Lesson, { lastMatchedAt }: Lesson): Lesson {
  return lastMatchedAt === undefined || lastMatchedAt <= (lesson.lastMatchedAt ?? '')
    ? lesson
    : { ...lesson, lastMatchedAt };
}

async function findLesson(db: Database, idOrSlug: string): Promise<Lesson | undefined> {
  const document = (await findDocument(db, 'id', idOrSlug)) ?? (await findDocument(db, 'slug', idOrSlug));
  return document === undefined ? undefined : toLesson(document);
}

export async function findDocument(db: Database, column: 'id' | 'slug', value: string): Promise<string | undefined> {
  const query = db.selectFrom('lessons').select('document').where(column, '=', value);
  return (await query.executeTakeFirst())?.document;
}

export function toRow(lesson: Lesson): LessonRow {
  const { needsReview, scope } = lesson;
  return {
    ...lessonColumns.toRow(lesson),
    needs_review: Number(needsReview),
    scope_kind: scope.kind,
    scope_id: scope.id ?? null,
    document: JSON.stringify(lesson),
  };
}

export function toLesson(document: string): Lesson {
  return JSON.parse(document);
}

function toChange(row: LessonHistoryRow): KeptChange {
  const before = row.before === null ? {} : { before: toLesson(row.before) };
  return { ...changeColumns.toFields(row), ...before, after: toLesson(row.after) };
}
