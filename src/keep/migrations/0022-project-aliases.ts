/** Which project ids are one project because a person said so. An `into_id` is never a `from_id` too. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const projectAliases: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('project_aliases')
      .addColumn('from_id', text, (c) => c.primaryKey().notNull())
      .addColumn('into_id', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('project_aliases').execute();
  },
};
