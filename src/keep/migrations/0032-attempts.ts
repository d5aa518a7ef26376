/**
 * What came after a delivery, in both arms: the later calls of its intent (JSON), how many of them failed before one
 * worked, and the calls and seconds that took. The last two stay empty until an attempt works.
 */
import type { Kysely, Migration } from 'kysely';
import { textType } from './text-type.ts';

const COLUMNS = ['attempts', 'failing_attempts', 'success_at', 'calls_to_success', 'seconds_to_success'] as const;

export const attempts: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textType(db);
    const types = [text, 'integer', text, 'integer', 'double precision'] as const;
    for (const [n, column] of COLUMNS.entries())
      await db.schema
        .alterTable('deliveries')
        .addColumn(column, types[n] ?? text)
        .execute();
  },
  async down(db: Kysely<unknown>) {
    for (const column of COLUMNS.toReversed()) await db.schema.alterTable('deliveries').dropColumn(column).execute();
  },
};
