/** What was forgotten on request and must not come back: ids and a time, no text. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const forgotten: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('forgotten')
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('id', text, (c) => c.notNull())
      .addColumn('forgotten_at', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('forgotten_key', ['kind', 'id'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('forgotten').execute();
  },
};
