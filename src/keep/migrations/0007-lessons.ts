/**
 * One lesson: the whole of it as JSON in `document`, and beside it, written from it, what is searched and sorted by.
 * A lesson is always read and written whole and grows with every kind of trigger; a column per field would not.
 */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const lessons: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('lessons')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('slug', text, (c) => c.notNull().unique())
      .addColumn('type', text, (c) => c.notNull())
      .addColumn('summary', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('mode', text, (c) => c.notNull())
      .addColumn('priority', 'double precision', (c) => c.notNull())
      .addColumn('confidence', 'double precision', (c) => c.notNull())
      .addColumn('needs_review', 'integer', (c) => c.notNull())
      .addColumn('scope_kind', text, (c) => c.notNull())
      .addColumn('scope_id', text)
      .addColumn('signature_id', text)
      .addColumn('content_hash', text, (c) => c.notNull())
      .addColumn('document', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('updated_at', text, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('lessons_by_content').on('lessons').column('content_hash').execute();
    await db.schema.createIndex('lessons_by_signature').on('lessons').column('signature_id').execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('lessons').execute();
  },
};
