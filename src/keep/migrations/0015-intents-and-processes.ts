/** What a call wanted, so that a later success settles a failure; which process a session is, so that a dead one shows. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

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
