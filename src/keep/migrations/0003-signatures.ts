/** One failure form. The counters follow from `tool_outcomes` and move in the transaction that moves the calls. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const signatures: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('signatures')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('template', text, (c) => c.notNull())
      .addColumn('program', text, (c) => c.notNull())
      .addColumn('tool', text, (c) => c.notNull())
      .addColumn('category', text)
      .addColumn('count', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('sessions', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('projects', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('first', text)
      .addColumn('last', text)
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('signatures').execute();
  },
};
