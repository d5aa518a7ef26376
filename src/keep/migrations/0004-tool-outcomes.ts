/** One call with its outcome. Indexes hold ids and times only: PostgreSQL refuses index entries over 2,700 bytes. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const toolOutcomes: Migration = {
  async up(db: Kysely<unknown>) {
    await createTable(db);
    for (const [name, columns] of Object.entries(INDEXES)) {
      await db.schema.createIndex(name).on('tool_outcomes').columns(columns).execute();
    }
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('tool_outcomes').execute();
  },
};

const INDEXES: Readonly<Record<string, string[]>> = {
  tool_outcomes_by_context: ['agent', 'session_id', 'context_id', 'occurred_at', 'id'],
  tool_outcomes_by_project: ['project_id', 'occurred_at'],
  tool_outcomes_by_signature: ['signature_id', 'project_id', 'occurred_at'],
  tool_outcomes_by_time: ['occurred_at', 'id'],
};

function createTable(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  return db.schema
    .createTable('tool_outcomes')
    .addColumn('id', text, (c) => c.primaryKey().notNull())
    .addColumn('agent', text, (c) => c.notNull())
    .addColumn('session_id', text, (c) => c.notNull())
    .addColumn('root_session_id', text, (c) => c.notNull())
    .addColumn('context_id', text, (c) => c.notNull())
    .addColumn('call_id', text, (c) => c.notNull())
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('tool_name', text, (c) => c.notNull())
    .addColumn('raw_tool_name', text, (c) => c.notNull())
    .addColumn('outcome', text, (c) => c.notNull())
    .addColumn('outcome_type', text, (c) => c.notNull())
    .addColumn('message', text)
    .addColumn('exit_code', 'bigint')
    .addColumn('masked', 'integer', (c) => c.notNull())
    .addColumn('surfaced_at', text)
    .addColumn('resolved_at', text)
    .addColumn('signature_id', text, (c) => c.references('signatures.id'))
    .addColumn('tool_input_hash', text)
    .addColumn('input_summary', text)
    .addColumn('output_summary', text)
    .addColumn('program', text)
    .addColumn('target_path', text)
    .addColumn('duration_ms', 'double precision')
    .addColumn('duration_source', text)
    .addColumn('preceding_tool_id', text)
    .addColumn('analyzed', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('occurred_at', text, (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addUniqueConstraint('tool_outcomes_key', ['agent', 'session_id', 'call_id'])
    .execute();
}
