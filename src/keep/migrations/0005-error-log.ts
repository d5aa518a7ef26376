/** Failures by session and signature. A view, so that nobody can write a failure that no call stands behind. */
import { type Kysely, type Migration, sql } from 'kysely';

export const errorLog: Migration = {
  async up(db: Kysely<unknown>) {
    // Grouped by the tool too, because failures without a signature would otherwise all fall into one row.
    await sql`
      create view error_log as
      select agent, session_id, min(project_id) as project_id, tool_name as tool, min(outcome_type) as type,
        min(message) as message, signature_id as signature, count(*) as count,
        min(occurred_at) as first, max(occurred_at) as last, min(analyzed) as analyzed
      from tool_outcomes
      where outcome = 'failure'
      group by agent, session_id, signature_id, tool_name
    `.execute(db);
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropView('error_log').execute();
  },
};
