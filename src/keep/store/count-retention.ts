/** What retention would remove, without removing it; and how many rows there are that it could ever remove. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RemovalCap, RetentionCounts, RetentionLimits } from '../../base/retention.ts';
import { isBefore, isEvidence, storedBefore } from './call-age.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { stripDocument } from './strip-excerpts.ts';

export async function countRetention(db: Kysely<DatabaseSchema>, limits: RetentionLimits): Promise<RetentionCounts> {
  const { now, textBefore, factsBefore } = limits;
  const isGone = sql`${isBefore(factsBefore, now)} and ${storedBefore(factsBefore)} and not ${isEvidence}`;
  const isBare = sql`${isBefore(textBefore, now)} and ${storedBefore(textBefore)} and not ${isEvidence}`;
  const { rows } = await sql<Omit<RetentionCounts, 'excerpts'>>`
    select
      (select count(*) from tool_outcomes where ${HAS_TEXT} and ${isBare} and not (${isGone})) as "texts",
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
  const counts = rows[0] as Omit<RetentionCounts, 'excerpts'>;
  const texts = counts.texts + (await countBeyond(db, limits, isBare));
  const archived = db.selectFrom('lessons').select('document').where('status', '=', 'archived');
  const lessons = await archived.where('updated_at', '<', textBefore).execute();
  const excerpts = lessons.reduce((sum, { document }) => sum + stripDocument(document, textBefore).excerpts, 0);
  return { ...counts, texts, excerpts };
}

/** Texts that only the number of calls of their project removes. Few projects have so many: the others are not sorted for it. */
async function countBeyond(
  db: Kysely<DatabaseSchema>,
  { perProject, settledBefore }: RetentionLimits,
  isBare: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select *, row_number() over (partition by project_id order by occurred_at desc, id desc) as place
      from tool_outcomes where project_id in
        (select project_id from tool_outcomes group by project_id having count(*) > ${perProject})) as tool_outcomes
    where place > ${perProject} and ${HAS_TEXT} and ${storedBefore(settledBefore)} and not ${isEvidence}
      and not (${isBare})
  `.execute(db);
  return rows[0]?.n ?? 0;
}

const HAS_TEXT = sql`(message is not null or input_summary is not null or output_summary is not null)`;

export async function countRemovable(db: Kysely<DatabaseSchema>): Promise<RemovalCap> {
  const { rows } = await sql<Omit<RemovalCap, 'excerpts'>>`
    select
      (select count(*) from tool_outcomes where ${HAS_TEXT}) as "texts",
      (select count(*) from tool_outcomes) as "calls",
      (select count(*) from sessions) as "sessions",
      (select count(*) from deliveries) as "deliveries"
  `.execute(db);
  const lessons = await db.selectFrom('lessons').select('document').execute();
  const excerpts = lessons.reduce((sum, { document }) => sum + document.split('"excerpt":').length - 1, 0);
  return { ...(rows[0] as Omit<RemovalCap, 'excerpts'>), excerpts };
}
