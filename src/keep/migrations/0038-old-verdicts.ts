/**
 * Notes that were judged before attempts were kept: their verdict came from the noted call itself, which a note reaches
 * too late to change. The verdict moves to a column of its own and the delivery counts as not judged, so that every
 * figure rests on the same rule. Reading the session again judges the delivery anew.
 */
import { type Kysely, type Migration, sql } from 'kysely';
import { textType } from './text-type.ts';

export const oldVerdicts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('deliveries').addColumn('old_outcome', textType(db)).execute();
    await sql`update deliveries set old_outcome = outcome, outcome = 'incomplete'
      where kind = 'call' and mode = 'note' and attempts is null and items is null
        and outcome in ('clean', 'ignored', 'failed_anyway')`.execute(db);
  },
  async down(db: Kysely<unknown>) {
    await sql`update deliveries set outcome = old_outcome
      where old_outcome is not null and outcome = 'incomplete'`.execute(db);
    await db.schema.alterTable('deliveries').dropColumn('old_outcome').execute();
  },
};
