/**
 * Every text that we added to a conversation, in bytes; which version of the protocol asked a conversation for lesson
 * reports; in which conversation a report was written; and how many matching lessons had no room at a delivery.
 */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const addedTexts: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('added_texts')
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('context_id', text, (c) => c.notNull())
      .addColumn('call_id', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('bytes', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer')
      .addColumn('added_at', text, (c) => c.notNull())
      .addUniqueConstraint('added_texts_key', ['agent', 'session_id', 'context_id', 'call_id', 'kind', 'added_at'])
      .execute();
    await db.schema.alterTable('self_reports').addColumn('context_id', text).execute();
    await db.schema.alterTable('deliveries').addColumn('no_room', 'integer').execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').dropColumn('no_room').execute();
    await db.schema.alterTable('self_reports').dropColumn('context_id').execute();
    await db.schema.dropTable('added_texts').execute();
  },
};
