/**
 * Stores lessons and the history of their changes. An update reads, changes and saves lessons in one transaction, so
 * that nobody changes a lesson from an outdated copy.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { ChangeHead, KeptChange, Lesson, LessonChange } from '../../../base/model/lesson.ts';
import type { Database, LessonHistoryRow, LessonRow } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { type IdSequence, omitNull, toLaterId, toStorable } from '../row-values.ts';
import { fromExcluded } from '../statements.ts';
import { redactLesson } from './redact-lesson.ts';

type LessonMethods =
  | 'saveLesson'
  | 'findLesson'
  | 'findLessonAt'
  | 'listLessons'
  | 'listLessonHistory'
  | 'listChangesBy'
  | 'listChangesOf';

export function makeLessonStore(engine: Engine, ids: IdSequence): Pick<Store, LessonMethods> {
  const { db } = engine;
  const toLessons = makeLessonParser();
  return {
    saveLesson: (lesson, change) => saveLesson(engine, ids, lesson, change),
    async findLesson(idOrSlug) {
      const found = (await findDocument(db, 'id', idOrSlug)) ?? (await findDocument(db, 'slug', idOrSlug));
      return found === undefined ? undefined : toLesson(found);
    },
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
    listChangesBy: (by) => listChangesBy(db, by),
    async listChangesOf({ command, by, at }) {
      const all = db.selectFrom('lesson_history').selectAll();
      const query =
        command === undefined
          ? all.where('command', 'is', null).where('changed_by', '=', by).where('changed_at', '=', at)
          : all.where('command', '=', command);
      return (await query.orderBy('id').execute()).map(toChange);
    },
  };
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

async function listChangesBy(db: Database, by: string): Promise<readonly ChangeHead[]> {
  const rows = await db
    .selectFrom('lesson_history')
    .select(['id', 'lesson_id', 'changed_by', 'changed_at', 'reason', 'command'])
    .where((eb) =>
      eb.or([eb('changed_by', '=', by), eb('reason', 'like', 'undo of hst%'), eb('reason', 'like', 'redo of hst%')]),
    )
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toChangeHead);
}

/** The name of the lock for changes of any lesson: see `findings.ts`. */
export const LEARNING_LOCK = 'learning';

function saveLesson(engine: Engine, ids: IdSequence, lesson: Lesson, change: LessonChange): Promise<void> {
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'lesson', [lesson.id, LEARNING_LOCK]);
    await writeLesson(trx, ids, lesson, change);
  });
}

export async function writeLesson(
  trx: Database,
  ids: IdSequence,
  unchecked: Lesson,
  change: LessonChange,
): Promise<void> {
  const given = redactLesson(unchecked);
  const before = (await findDocument(trx, 'id', given.id)) ?? null;
  const lesson = before === null ? given : keepLastMatch(given, toLesson(before));
  const { id, ...columns } = toRow(lesson);
  await trx
    .insertInto('lessons')
    .values({ id, ...columns })
    .onConflict((oc) => oc.column('id').doUpdateSet(fromExcluded(Object.keys(columns) as (keyof typeof columns)[])))
    .execute();
  const history = toHistoryColumns(lesson.id, change, before, columns.document);
  const last = await findLastChange(trx, lesson.id);
  await trx
    .insertInto('lesson_history')
    .values(ids('hst', 1).map((historyId) => ({ id: toLaterId(historyId, last), ...history })))
    .execute();
}

async function findLastChange(trx: Database, lessonId: string): Promise<string | undefined> {
  const query = trx.selectFrom('lesson_history').select('id').where('lesson_id', '=', lessonId);
  return (await query.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id;
}

/** Deliveries update this time outside of changes, so a change must not set it back. */
function keepLastMatch(lesson: Lesson, { lastMatchedAt }: Lesson): Lesson {
  return lastMatchedAt === undefined || lastMatchedAt <= (lesson.lastMatchedAt ?? '')
    ? lesson
    : { ...lesson, lastMatchedAt };
}

/** The oldest of several lessons with the same content. */
export async function findDocument(db: Database, column: 'id' | 'slug', value: string): Promise<string | undefined> {
  const query = db.selectFrom('lessons').select('document').where(column, '=', value);
  return (await query.orderBy('created_at').orderBy('id').limit(1).executeTakeFirst())?.document;
}

export function toRow(lesson: Lesson): LessonRow {
  return {
    id: lesson.id,
    slug: lesson.slug,
    type: lesson.type,
    summary: lesson.summary,
    status: lesson.status,
    mode: lesson.mode,
    priority: lesson.priority,
    confidence: lesson.confidence,
    needs_review: lesson.needsReview ? 1 : 0,
    scope_kind: lesson.scope.kind,
    scope_id: lesson.scope.id ?? null,
    signature_id: lesson.signatureId ?? null,
    content_hash: lesson.contentHash,
    document: JSON.stringify(lesson),
    created_at: lesson.createdAt,
    updated_at: lesson.updatedAt,
  };
}

export function toLesson(document: string): Lesson {
  return JSON.parse(document);
}

function toHistoryColumns(
  lessonId: string,
  change: LessonChange,
  before: string | null,
  after: string,
): Omit<LessonHistoryRow, 'id'> {
  return {
    lesson_id: lessonId,
    changed_by: change.by,
    changed_at: change.at,
    reason: change.reason,
    before,
    after,
    command: change.command ?? null,
  };
}

export function toChangeHead(row: Omit<LessonHistoryRow, 'before' | 'after'>): ChangeHead {
  return omitNull({
    id: row.id,
    lessonId: row.lesson_id,
    by: row.changed_by,
    reason: row.reason,
    at: row.changed_at,
    command: row.command,
  });
}

function toChange(row: LessonHistoryRow): KeptChange {
  return omitNull({
    ...toChangeHead(row),
    before: row.before === null ? null : toLesson(row.before),
    after: toLesson(row.after),
  });
}

type Change = Parameters<Store['updateLessons']>[1];

/** Reads, changes and saves lessons in one transaction, so that every change starts from the current version. */
export function updateLessons(
  engine: Engine,
  ids: IdSequence,
  idsOrSlugs: readonly string[],
  change: Change,
): Promise<readonly Lesson[]> {
  return engine.db.transaction().execute(async (trx) => {
    // `forget` locks only the ids of lessons. A slug never moves to another lesson.
    const known = await findAll(trx, idsOrSlugs);
    await engine.lock(trx, 'lesson', [...known.flatMap((lesson) => lesson?.id ?? []), LEARNING_LOCK]);
    const updates = toStorable(change(await findAll(trx, idsOrSlugs)));
    for (const update of updates) await writeLesson(trx, ids, update.lesson, update.change);
    return updates.map(({ lesson }) => lesson);
  });
}

export async function findAll(trx: Database, idsOrSlugs: readonly string[]): Promise<readonly (Lesson | undefined)[]> {
  const found: (Lesson | undefined)[] = [];
  for (const name of idsOrSlugs) {
    const document = (await findDocument(trx, 'id', name)) ?? (await findDocument(trx, 'slug', name));
    found.push(document === undefined ? undefined : toLesson(document));
  }
  return found;
}
