/** What detectors saw, and what came of it. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const findings: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('findings')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('detector', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('failing_call_id', text, (c) => c.notNull())
      .addColumn('fixing_call_id', text, (c) => c.notNull())
      .addColumn('signature_id', text)
      .addColumn('verdict', text, (c) => c.notNull())
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('lesson_id', text)
      .addColumn('file', text)
      .addColumn('from_line', 'integer')
      .addColumn('to_line', 'integer')
      .addColumn('found_at', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addUniqueConstraint('findings_key', ['agent', 'session_id', 'failing_call_id', 'kind'])
      .execute();
    await db.schema.createIndex('findings_by_project').on('findings').columns(['project_id', 'found_at']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('findings').execute();
  },
};
