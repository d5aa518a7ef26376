/** What retention would remove, without removing it. */
import { type Kysely, sql } from 'kysely';
import type { RetentionCounts, RetentionLimits } from '../../base/retention.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { stripDocument } from './strip-excerpts.ts';

export async function countRetention(
  db: Kysely<DatabaseSchema>,
  { textBefore, perProject, factsBefore }: RetentionLimits,
): Promise<RetentionCounts> {
  const { rows } = await sql<Omit<RetentionCounts, 'excerpts'>>`
    select
      (select count(*) from (
        select occurred_at, message, input_summary, output_summary,
          row_number() over (partition by project_id order by occurred_at desc, id desc) as place
        from tool_outcomes where occurred_at >= ${factsBefore}) as kept
        where (occurred_at < ${textBefore} or place > ${perProject})
          and (message is not null or input_summary is not null or output_summary is not null)) as "texts",
      (select count(*) from tool_outcomes where occurred_at < ${factsBefore}) as "calls",
      (select count(*) from sessions where last_seen_at < ${factsBefore}) as "sessions",
      (select count(*) from deliveries where delivered_at < ${factsBefore}) as "deliveries",
      (select count(*) from signatures where
        exists (select 1 from tool_outcomes where signature_id = signatures.id) and not exists
        (select 1 from tool_outcomes where signature_id = signatures.id and occurred_at >= ${factsBefore})) as "signatures"
  `.execute(db);
  const documents = await db.selectFrom('lessons').select('document').execute();
  const excerpts = documents.reduce((sum, { document }) => sum + stripDocument(document, textBefore).excerpts, 0);
  return { ...(rows[0] as Omit<RetentionCounts, 'excerpts'>), excerpts };
}
