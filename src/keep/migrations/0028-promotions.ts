/** Lessons proposed for, or standing in, files that agents read at every session. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const promotions: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('promotions')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('lesson_id', text, (c) => c.notNull())
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('root', text, (c) => c.notNull())
      .addColumn('target_file', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('text', text, (c) => c.notNull())
      .addColumn('written_hash', text)
      .addColumn('text_before', text)
      .addColumn('made', text)
      .addColumn('changed_by', text, (c) => c.notNull())
      .addColumn('changed_at', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('promotions_by_lesson').on('promotions').columns(['lesson_id']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('promotions').execute();
  },
};
