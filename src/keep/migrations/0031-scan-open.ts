/** A call was under way where reading ended: once its file has fallen silent, it is looked at again. */
import type { Kysely, Migration } from 'kysely';

export const scanOpen: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('scan_state')
      .addColumn('is_open', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('scan_state').dropColumn('is_open').execute();
  },
};
