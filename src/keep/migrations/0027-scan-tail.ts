/** What stood before the place where reading ended, as a hash: a file that was written anew is known by it. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const scanTail: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').addColumn('tail', textType(db)).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').dropColumn('tail').execute();
  },
};
