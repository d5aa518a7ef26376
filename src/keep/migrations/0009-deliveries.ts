/** One lesson at one call or task, shown or withheld, with the verdict once there is one. */
import type { Kysely, Migration } from 'kysely';
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
