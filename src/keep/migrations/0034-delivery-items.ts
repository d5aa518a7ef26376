/** Which items of a procedure the session has done. */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

export const deliveryItems: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').addColumn('items', textType(db)).execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').dropColumn('items').execute();
  },
};
