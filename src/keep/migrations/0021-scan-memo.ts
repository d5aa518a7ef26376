/** What a reader had noted where it stopped: some formats tell the session and its folder in their first line only. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const scanMemo: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').addColumn('memo', textType(db)).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').dropColumn('memo').execute();
  },
};
