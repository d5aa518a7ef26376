/** One change of one lesson; `before` and `after` are whole lessons as JSON, so that any change can be undone. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const lessonHistory: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('lesson_history')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('lesson_id', text, (c) => c.notNull().references('lessons.id'))
      .addColumn('changed_by', text, (c) => c.notNull())
      .addColumn('changed_at', text, (c) => c.notNull())
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('before', text)
      .addColumn('after', text, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('lesson_history_by_lesson').on('lesson_history').columns(['lesson_id', 'id']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('lesson_history').execute();
  },
};
