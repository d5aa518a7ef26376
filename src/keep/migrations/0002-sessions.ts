/** One agent session, or one run of a sub-agent that has a session id of its own. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const sessions: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('sessions')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('parent_session_id', text)
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('cwd', text)
      .addColumn('branch', text)
      .addColumn('model', text)
      .addColumn('agent_version', text)
      .addColumn('started_at', text, (c) => c.notNull())
      .addColumn('last_seen_at', text, (c) => c.notNull())
      .addColumn('ended_at', text)
      .addColumn('end_reason', text)
      .addColumn('source', text, (c) => c.notNull())
      .addUniqueConstraint('sessions_key', ['agent', 'session_id'])
      .execute();
    await db.schema.createIndex('sessions_by_project').on('sessions').columns(['project_id', 'last_seen_at']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('sessions').execute();
  },
};
