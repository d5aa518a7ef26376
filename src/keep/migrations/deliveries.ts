/**
 * Migrations of the tables of deliveries: one row per lesson at one call or task, shown or withheld, with its verdict,
 * later attempts and items; and missed opportunities, feedback and added texts.
 */

import { type Kysely, type Migration, sql } from 'kysely';
import { textType } from './text-type.ts';

export const deliveries: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('deliveries')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('lesson_id', text, (c) => c.notNull())
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('context_id', text, (c) => c.notNull())
      .addColumn('call_id', text, (c) => c.notNull())
      .addColumn('mode', text, (c) => c.notNull())
      .addColumn('arm', text, (c) => c.notNull())
      .addColumn('score', 'double precision', (c) => c.notNull())
      .addColumn('bytes', 'integer', (c) => c.notNull())
      .addColumn('latency_us', 'double precision', (c) => c.notNull())
      .addColumn('delivered_at', text, (c) => c.notNull())
      .addColumn('acknowledged_at', text)
      .addColumn('outcome', text)
      .addColumn('outcome_at', text)
      .execute();
    await db.schema.createIndex('deliveries_by_session').on('deliveries').columns(['agent', 'session_id']).execute();
    await db.schema.createIndex('deliveries_by_lesson').on('deliveries').columns(['lesson_id', 'outcome']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('deliveries').execute();
  },
};

/**
 * Whether the mistake was repeated after a delivery, and whether the judging call failed at all; shown and withheld are
 * compared by these. Also failures without a warning, and lessons that the hook skipped at a call that has not failed
 * yet.
 */
export const outcomes: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema.alterTable('deliveries').addColumn('again', 'integer').execute();
    await db.schema.alterTable('deliveries').addColumn('failed', 'integer').execute();
    await db.schema
      .createTable('missed_opportunities')
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('context_id', text, (c) => c.notNull())
      .addColumn('call_id', text, (c) => c.notNull())
      .addColumn('lesson_id', text, (c) => c.notNull())
      .addColumn('project_id', text)
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('told_at', text, (c) => c.notNull())
      .addColumn('missed_at', text)
      .addUniqueConstraint('missed_opportunities_key', ['agent', 'session_id', 'call_id', 'lesson_id'])
      .execute();
    await db.schema
      .createIndex('missed_opportunities_by_lesson')
      .on('missed_opportunities')
      .columns(['lesson_id', 'missed_at'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('missed_opportunities').execute();
    await db.schema.alterTable('deliveries').dropColumn('failed').execute();
    await db.schema.alterTable('deliveries').dropColumn('again').execute();
  },
};

/** Feedback of a person or an agent: one row per author and delivery, or per author and lesson. */
export const feedback: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('feedback')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('lesson_id', text, (c) => c.notNull())
      // Empty for feedback on the lesson itself, because nulls are not unique.
      .addColumn('delivery_id', text, (c) => c.notNull())
      .addColumn('source', text, (c) => c.notNull())
      .addColumn('said_by', text, (c) => c.notNull())
      .addColumn('verdict', text, (c) => c.notNull())
      .addColumn('note', text)
      .addColumn('moved', 'double precision', (c) => c.notNull())
      .addColumn('is_flagging', 'integer', (c) => c.notNull())
      .addColumn('command', text, (c) => c.notNull())
      .addColumn('said_at', text, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('feedback_voice')
      .unique()
      .on('feedback')
      .columns(['lesson_id', 'delivery_id', 'said_by'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('feedback').execute();
  },
};

const ATTEMPT_COLUMNS = [
  'attempts',
  'failing_attempts',
  'success_at',
  'calls_to_success',
  'seconds_to_success',
] as const;

/**
 * The later calls of a delivery's intent (JSON), how many of them failed before one worked, and the calls and seconds
 * until then. The last two are empty until an attempt works.
 */
export const attempts: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    const types = [text, 'integer', text, 'integer', 'double precision'] as const;
    for (const [n, column] of ATTEMPT_COLUMNS.entries())
      await db.schema
        .alterTable('deliveries')
        .addColumn(column, types[n] ?? text)
        .execute();
  },
  async down(db: Kysely<unknown>) {
    for (const column of ATTEMPT_COLUMNS.toReversed())
      await db.schema.alterTable('deliveries').dropColumn(column).execute();
  },
};

/** The items of a procedure that the session has done. */
export const deliveryItems: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').addColumn('items', textType(db)).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').dropColumn('items').execute();
  },
};

/**
 * The size of every text that we added to a conversation; the version of the protocol that asked a conversation for
 * lesson reports; the conversation of a report; and how many matching lessons had no room at a delivery.
 */
export const addedTexts: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('added_texts')
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('context_id', text, (c) => c.notNull())
      .addColumn('call_id', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('bytes', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer')
      .addColumn('added_at', text, (c) => c.notNull())
      .addUniqueConstraint('added_texts_key', ['agent', 'session_id', 'context_id', 'call_id', 'kind', 'added_at'])
      .execute();
    await db.schema.alterTable('self_reports').addColumn('context_id', text).execute();
    await db.schema.alterTable('deliveries').addColumn('no_room', 'integer').execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').dropColumn('no_room').execute();
    await db.schema.alterTable('self_reports').dropColumn('context_id').execute();
    await db.schema.dropTable('added_texts').execute();
  },
};

/**
 * Notes that were judged before attempts were stored: their verdict came from the noted call itself, which a note
 * cannot change. The verdict moves to its own column and the delivery counts as not judged, so that all figures follow
 * the same rule. Reading the session again judges the delivery again.
 */
export const oldVerdicts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').addColumn('old_outcome', textType(db)).execute();
    await sql`update deliveries set old_outcome = outcome, outcome = 'incomplete'
      where kind = 'call' and mode = 'note' and attempts is null and items is null
        and outcome in ('clean', 'ignored', 'failed_anyway')`.execute(db);
  },
  async down(db: Kysely<unknown>) {
    await sql`update deliveries set outcome = old_outcome
      where old_outcome is not null and outcome = 'incomplete'`.execute(db);
    await db.schema.alterTable('deliveries').dropColumn('old_outcome').execute();
  },
};
