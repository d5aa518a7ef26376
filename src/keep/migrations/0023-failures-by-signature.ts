/**
 * The failures of a signature, with all that is counted of them: counting reads the index alone. Successes, which have no
 * signature, are not in it, and cost nothing when they are written.
 */
import { type Kysely, type Migration, sql } from 'kysely';

export const failuresBySignature: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('tool_outcomes_by_signature').execute();
    await sql`
      create index tool_outcomes_by_signature on tool_outcomes
        (signature_id, outcome, project_id, occurred_at, session_id, agent)
        where signature_id is not null
    `.execute(db);
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('tool_outcomes_by_signature').execute();
    await db.schema
      .createIndex('tool_outcomes_by_signature')
      .on('tool_outcomes')
      .columns(['signature_id', 'project_id', 'occurred_at'])
      .execute();
  },
};
