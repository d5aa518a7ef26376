/**
 * Migrations of the tables of lessons: episodes (one failure and its fix around an intent), lessons and their history,
 * findings, self-reports and promotions.
 */

import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const episodes: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('episodes')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('failing_call_id', text, (c) => c.notNull())
      .addColumn('fixing_call_id', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('intent_key', text, (c) => c.notNull())
      .addColumn('steps', 'integer', (c) => c.notNull())
      .addColumn('confidence', 'double precision', (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addUniqueConstraint('episodes_key', ['agent', 'session_id', 'failing_call_id', 'fixing_call_id'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('episodes').execute();
  },
};

/**
 * One lesson: the whole of it as JSON in `document`, and copies of the fields that are searched and sorted by. A lesson
 * is always read and written whole and gains fields with every kind of trigger, so there is no column per field.
 */
export const lessons: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('lessons')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('slug', text, (c) => c.notNull().unique())
      .addColumn('type', text, (c) => c.notNull())
      .addColumn('summary', text, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('mode', text, (c) => c.notNull())
      .addColumn('priority', 'double precision', (c) => c.notNull())
      .addColumn('confidence', 'double precision', (c) => c.notNull())
      .addColumn('needs_review', 'integer', (c) => c.notNull())
      .addColumn('scope_kind', text, (c) => c.notNull())
      .addColumn('scope_id', text)
      .addColumn('signature_id', text)
      .addColumn('content_hash', text, (c) => c.notNull())
      .addColumn('document', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('updated_at', text, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('lessons_by_content').on('lessons').column('content_hash').execute();
    await db.schema.createIndex('lessons_by_signature').on('lessons').column('signature_id').execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('lessons').execute();
  },
};

/** One change of one lesson; `before` and `after` are whole lessons as JSON, so that any change can be undone. */
export const lessonHistory: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('lesson_history')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('lesson_id', text, (c) => c.notNull().references('lessons.id'))
      .addColumn('changed_by', text, (c) => c.notNull())
      .addColumn('changed_at', text, (c) => c.notNull())
      .addColumn('reason', text, (c) => c.notNull())
      .addColumn('before', text)
      .addColumn('after', text, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('lesson_history_by_lesson').on('lesson_history').columns(['lesson_id', 'id']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('lesson_history').execute();
  },
};

/** Findings of detectors and their verdicts. */
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

/** Lesson reports of agents: which agents follow the protocol, and which blocks could not be parsed. */
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

/** The command that a change of a lesson belongs to, because undo reverts whole commands. Older changes have none. */
export const lessonCommands: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('lesson_history').addColumn('command', textType(db)).execute();
    await db.schema.createIndex('lesson_history_by_command').on('lesson_history').columns(['command']).execute();
    await db.schema
      .createIndex('lesson_history_by_person')
      .on('lesson_history')
      .columns(['changed_by', 'id'])
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('lesson_history_by_person').execute();
    await db.schema.dropIndex('lesson_history_by_command').execute();
    await db.schema.alterTable('lesson_history').dropColumn('command').execute();
  },
};

/** Lessons that are proposed for, or written into, files that agents read at every session. */
export const promotions: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('promotions')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('lesson_id', text, (c) => c.notNull())
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('root', text, (c) => c.notNull())
      .addColumn('target_file', text, (c) => c.notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('text', text, (c) => c.notNull())
      .addColumn('written_hash', text)
      .addColumn('text_before', text)
      .addColumn('made', text)
      .addColumn('changed_by', text, (c) => c.notNull())
      .addColumn('changed_at', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('promotions_by_lesson').on('promotions').columns(['lesson_id']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('promotions').execute();
  },
};

/** How agents got past failed calls, by the signature of the failure. */
export const cures: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    await db.schema
      .createTable('cures')
      .addColumn('agent', text, (c) => c.notNull())
      .addColumn('session_id', text, (c) => c.notNull())
      .addColumn('failing_call_id', text, (c) => c.notNull())
      .addColumn('fixing_call_id', text, (c) => c.notNull())
      .addColumn('project_id', text, (c) => c.notNull())
      .addColumn('signature_id', text, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('text', text, (c) => c.notNull())
      .addColumn('edit', text)
      .addColumn('cured_at', text, (c) => c.notNull())
      .addUniqueConstraint('cures_key', ['agent', 'session_id', 'failing_call_id'])
      .execute();
    await db.schema.createIndex('cures_by_signature').on('cures').columns(['signature_id', 'project_id']).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('cures').execute();
  },
};
