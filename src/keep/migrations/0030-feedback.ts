/** Helpful or not, said by a person or an agent: one voice of each about one delivery, or about a lesson itself. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const feedback: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('feedback')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('lesson_id', text, (c) => c.notNull())
      // Empty for the lesson itself: nulls are not unique.
      .addColumn('delivery_id', text, (c) => c.notNull())
      .addColumn('source', text, (c) => c.notNull())
      .addColumn('said_by', text, (c) => c.notNull())
      .addColumn('verdict', text, (c) => c.notNull())
      .addColumn('note', text)
      .addColumn('moved', 'double precision', (c) => c.notNull())
      .addColumn('is_flagging', 'integer', (c) => c.notNull())
      .addColumn('command', text, (c) => c.notNull())
      .addColumn('said_at', text, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('feedback_voice')
      .unique()
      .on('feedback')
      .columns(['lesson_id', 'delivery_id', 'said_by'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('feedback').execute();
  },
};
