/** What retention would remove, without removing it; and how many rows there are that it could ever remove. */
import { type Kysely, sql } from 'kysely';
import type { RemovalCap, RetentionCounts, RetentionLimits } from '../../base/retention.ts';
import { isBefore, isEvidence, storedBefore } from './call-age.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { stripDocument } from './strip-excerpts.ts';

export async function countRetention(
  db: Kysely<DatabaseSchema>,
  { now, textBefore, perProject, settledBefore, factsBefore }: RetentionLimits,
): Promise<RetentionCounts> {
  const isGone = sql`${isBefore(factsBefore, now)} and ${storedBefore(factsBefore)} and not ${isEvidence}`;
  const { rows } = await sql<Omit<RetentionCounts, 'excerpts'>>`
    select
      (select count(*) from (
        select occurred_at, created_at, text_at, message, input_summary, output_summary,
          row_number() over (partition by project_id order by occurred_at desc, id desc) as place
        from tool_outcomes where not (${isGone}) and not ${isEvidence}) as kept
        where ((${isBefore(textBefore, now)} and ${storedBefore(textBefore)})
            or (place > ${perProject} and ${storedBefore(settledBefore)}))
          and (message is not null or input_summary is not null or output_summary is not null)) as "texts",
      (select count(*) from tool_outcomes where ${isGone}) as "calls",
      (select count(*) from sessions where
        (last_seen_at < ${factsBefore} or last_seen_at > ${now}) and coalesce(created_at, '') < ${factsBefore}
        and not exists (select 1 from tool_outcomes where agent = sessions.agent and session_id = sessions.session_id
          and not (${isGone}))) as "sessions",
      (select count(*) from deliveries where delivered_at < ${factsBefore}) as "deliveries",
      (select count(*) from signatures where
        exists (select 1 from tool_outcomes where signature_id = signatures.id) and not exists
        (select 1 from tool_outcomes where signature_id = signatures.id and not (${isGone}))) as "signatures"
  `.execute(db);
  const archived = db.selectFrom('lessons').select('document').where('status', '=', 'archived');
  const lessons = await archived.where('updated_at', '<', textBefore).execute();
  const excerpts = lessons.reduce((sum, { document }) => sum + stripDocument(document, textBefore).excerpts, 0);
  return { ...(rows[0] as Omit<RetentionCounts, 'excerpts'>), excerpts };
}

export async function countRemovable(db: Kysely<DatabaseSchema>): Promise<RemovalCap> {
  const { rows } = await sql<Omit<RemovalCap, 'excerpts'>>`
    select
      (select count(*) from tool_outcomes
        where message is not null or input_summary is not null or output_summary is not null) as "texts",
      (select count(*) from tool_outcomes) as "calls",
      (select count(*) from sessions) as "sessions",
      (select count(*) from deliveries) as "deliveries"
  `.execute(db);
  const lessons = await db.selectFrom('lessons').select('document').execute();
  const excerpts = lessons.reduce((sum, { document }) => sum + document.split('"excerpt":').length - 1, 0);
  return { ...(rows[0] as Omit<RemovalCap, 'excerpts'>), excerpts };
}
