/**
 * When the text of a call came into the store, where that was later than the call's row; and which setting removed it.
 * When a session came into the store, because a scan brings sessions of long ago.
 */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

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
