/** Counts the failures of these signatures anew: a counter that is only ever added to drifts when calls are re-told. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseSchema } from './database-schema.ts';
import { toChunks } from './to-chunks.ts';

export async function countSignatures(db: Kysely<DatabaseSchema>, ids: readonly string[]): Promise<void> {
  for (const chunk of toChunks(ids)) {
    await sql`
      update signatures set (count, sessions, projects, first, last) = (
        select count(*), count(distinct agent || ' ' || session_id), count(distinct project_id),
          min(occurred_at), max(occurred_at)
        from tool_outcomes
        where signature_id = signatures.id and outcome = 'failure'
      )
      where id in (${sql.join(chunk)})
    `.execute(db);
  }
}
