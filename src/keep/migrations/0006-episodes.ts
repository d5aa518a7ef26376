/** One fail -> fix around an intent. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const episodes: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('episodes')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('failing_call_id', text, (c) => c.notNull())
      .addColumn('fixing_call_id', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('intent_key', text, (c) => c.notNull())
      .addColumn('steps', 'integer', (c) => c.notNull())
      .addColumn('confidence', 'double precision', (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addUniqueConstraint('episodes_key', ['agent', 'session_id', 'failing_call_id', 'fixing_call_id'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('episodes').execute();
  },
};
