/** One repository. `roots` is a JSON list of the paths it was seen at, in the order they were seen. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const projects: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('projects')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('basis', text, (c) => c.notNull())
      .addColumn('roots', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('projects').execute();
  },
};
