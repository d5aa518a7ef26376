/** That agents wrote lessons down: which agents heed the protocol, and what could not be read. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const selfReports: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('self_reports')
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('report_id', text, (c) => c.notNull())
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('form', text, (c) => c.notNull())
      .addColumn('malformed', text)
      .addColumn('failing_call_id', text)
      .addColumn('file', text)
      .addColumn('line', 'integer')
      .addColumn('said_at', text, (c) => c.notNull())
      .addUniqueConstraint('self_reports_key', ['agent', 'session_id', 'report_id'])
      .execute();
    await db.schema.createIndex('self_reports_by_time').on('self_reports').columns(['said_at']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('self_reports').execute();
  },
};
