/**
 * Migrations of the tables of calls: signatures, outcomes, intents, text age, tokens. The counters of a signature
 * follow from `tool_outcomes`, and change in the transaction that changes the calls.
 */

import { type Kysely, type Migration, sql } from 'kysely';
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

/** One call with its outcome. Indexes contain only ids and times: PostgreSQL rejects entries over 2,700 bytes. */
export const toolOutcomes: Migration = {
  async up(db: Kysely<unknown>) {
    await createCallsTable(db);
    for (const [name, columns] of Object.entries(CALL_INDEXES)) {
      await db.schema.createIndex(name).on('tool_outcomes').columns(columns).execute();
    }
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('tool_outcomes').execute();
  },
};

const CALL_INDEXES: Readonly<Record<string, string[]>> = {
  tool_outcomes_by_context: ['agent', 'session_id', 'context_id', 'occurred_at', 'id'],
  tool_outcomes_by_project: ['project_id', 'occurred_at'],
  tool_outcomes_by_signature: ['signature_id', 'project_id', 'occurred_at'],
  tool_outcomes_by_time: ['occurred_at', 'id'],
};

function createCallsTable(db: Kysely<unknown>): Promise<void> {
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

/** Failures by session and signature. A view, so that every failure belongs to a call. */
export const errorLog: Migration = {
  async up(db: Kysely<unknown>) {
    // Grouped by tool too, because failures without a signature would otherwise all fall into one row.
    await sql`
      create view error_log as
      select agent, session_id, min(project_id) as project_id, tool_name as tool, min(outcome_type) as type,
        min(message) as message, signature_id as signature, count(*) as count,
        min(occurred_at) as first, max(occurred_at) as last, min(analyzed) as analyzed
      from tool_outcomes
      where outcome = 'failure'
      group by agent, session_id, signature_id, tool_name
    `.execute(db);
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropView('error_log').execute();
  },
};

/**
 * The intent of a call, so that a later success settles a failure; and the process of a session, so that a dead session
 * is recognized.
 */
export const intentsAndProcesses: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema.alterTable('tool_outcomes').addColumn('intent_key', text).execute();
    await db.schema.alterTable('sessions').addColumn('pid', 'bigint').execute();
    await db.schema.alterTable('sessions').addColumn('host', text).execute();
    await db.schema
      .createIndex('tool_outcomes_by_intent')
      .on('tool_outcomes')
      .columns(['project_id', 'intent_key', 'occurred_at'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('tool_outcomes_by_intent').execute();
    await db.schema.alterTable('tool_outcomes').dropColumn('intent_key').execute();
    await db.schema.alterTable('sessions').dropColumn('pid').execute();
    await db.schema.alterTable('sessions').dropColumn('host').execute();
  },
};

/**
 * An index of the failures of a signature with all counted columns, so that counting reads only the index. Successes
 * have no signature, so they are not in it and cost nothing.
 */
export const failuresBySignature: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('tool_outcomes_by_signature').execute();
    await sql`
      create index tool_outcomes_by_signature on tool_outcomes
        (signature_id, outcome, project_id, occurred_at, session_id, agent)
        where signature_id is not null
    `.execute(db);
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('tool_outcomes_by_signature').execute();
    await db.schema
      .createIndex('tool_outcomes_by_signature')
      .on('tool_outcomes')
      .columns(['signature_id', 'project_id', 'occurred_at'])
      .execute();
  },
};

/**
 * When the text of a call was stored, if later than the call's row, and which setting removed it; when a session was
 * stored, because a scan adds sessions of long ago.
 */
export const textAge: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema.alterTable('tool_outcomes').addColumn('text_at', text).execute();
    await db.schema.alterTable('tool_outcomes').addColumn('text_removed', text).execute();
    await db.schema.alterTable('sessions').addColumn('created_at', text).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('sessions').dropColumn('created_at').execute();
    await db.schema.alterTable('tool_outcomes').dropColumn('text_removed').execute();
    await db.schema.alterTable('tool_outcomes').dropColumn('text_at').execute();
  },
};

const TOKENS = ['tokens_input', 'tokens_cached', 'tokens_output'] as const;

/**
 * Tokens of the model's answers, stored with the next call that ended; and, for deliveries, the tokens until a later
 * call of its intent worked.
 */
export const tokens: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of TOKENS) await db.schema.alterTable('tool_outcomes').addColumn(column, 'integer').execute();
    await db.schema.alterTable('deliveries').addColumn('tokens_to_success', 'double precision').execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').dropColumn('tokens_to_success').execute();
    for (const column of TOKENS.toReversed()) await db.schema.alterTable('tool_outcomes').dropColumn(column).execute();
  },
};

/** Failed calls by their exact form, until something that they need has changed. */
export const rememberedCalls: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('remembered_calls')
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('call_id', text, (c) => c.notNull())
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('exact_key', text, (c) => c.notNull())
      .addColumn('needs', text, (c) => c.notNull())
      .addColumn('failed_at', text, (c) => c.notNull())
      .addColumn('settled_at', text)
      .addUniqueConstraint('remembered_calls_key', ['agent', 'session_id', 'call_id'])
      .execute();
    await sql`
      create index remembered_calls_by_project on remembered_calls (project_id, failed_at) where settled_at is null
    `.execute(db);
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('remembered_calls').execute();
  },
};
