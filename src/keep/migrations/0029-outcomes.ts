/**
 * Whether the mistake came again after a delivery, and whether the call that judged it failed at all: the difference between
 * shown and withheld is counted from these. And failures that nobody warned of; until the call has failed, what the hook
 * left unsaid about it.
 */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

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
