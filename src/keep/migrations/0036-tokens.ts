/**
 * Tokens of the model's answers, with the first call that ended after each; and, of deliveries, the tokens from the delivery
 * until a later call of its intent worked.
 */
import type { Kysely, Migration } from 'kysely';

const TOKENS = ['tokens_input', 'tokens_cached', 'tokens_output'] as const;

export const tokens: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of TOKENS) await db.schema.alterTable('tool_outcomes').addColumn(column, 'integer').execute();
    await db.schema.alterTable('deliveries').addColumn('tokens_to_success', 'double precision').execute();
  },
  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').dropColumn('tokens_to_success').execute();
    for (const column of TOKENS.toReversed()) await db.schema.alterTable('tool_outcomes').dropColumn(column).execute();
  },
};
