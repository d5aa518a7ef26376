/** Failures counted by session, form and place: as few rows as there are different failures, and never more than asked. */
import { type Kysely, sql } from 'kysely';
import type { FailureCell, Recurrence, RecurrenceFilter, SignatureForm } from '../../base/recurrence.ts';
import { toCategory } from '../../base/to-category.ts';
import { BY_AGENT } from './by-agent.ts';
import { and, toConditions } from './count-history.ts';
import { countPlaces, EDITED_PATH, listSettled } from './count-places.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { omitNull } from './omit-null.ts';
import { toChunks } from './to-chunks.ts';

export async function countRecurrence(
  db: Kysely<DatabaseSchema>,
  { limit, ...filter }: RecurrenceFilter,
): Promise<Recurrence> {
  const calls = sql`(select * from tool_outcomes where ${and([BY_AGENT, ...(await toConditions(db, filter))])})`;
  const { rows } = await sql<CellRow>`
    select t.agent, t.session_id as "sessionId", t.context_id as "contextId",
      coalesce(a.into_id, t.project_id) as "projectId", t.tool_name as tool, t.signature_id as "signatureId",
      t.intent_key as "intentKey", t.target_path as "targetPath", ${EDITED_PATH.path} as "editedPath",
      count(*) as count, min(t.occurred_at) as first, max(t.occurred_at) as last
    from ${calls} as t
    left join project_aliases as a on a.from_id = t.project_id
    ${EDITED_PATH.join}
    where t.outcome = 'failure'
    group by t.agent, t.session_id, t.context_id, coalesce(a.into_id, t.project_id), t.tool_name, t.signature_id,
      t.intent_key, t.target_path, ${EDITED_PATH.path}
    order by max(t.occurred_at) desc, t.agent, t.session_id, t.context_id, t.signature_id, t.intent_key,
      t.target_path, ${EDITED_PATH.path}
    limit ${limit + 1}
  `.execute(db);
  const cells = rows.slice(0, limit).map((row): FailureCell => omitNull({ ...row }));
  const places = await countPlaces(db, calls);
  return {
    cells,
    isCut: rows.length > limit,
    signatures: await listForms(db, cells),
    places,
    settled: await listSettled(db, places),
  };
}

type Nullable = 'signatureId' | 'intentKey' | 'targetPath' | 'editedPath';
type CellRow = Omit<FailureCell, Nullable> & Record<Nullable, string | null>;

async function listForms(db: Kysely<DatabaseSchema>, cells: readonly FailureCell[]): Promise<readonly SignatureForm[]> {
  const ids = [...new Set(cells.map(({ signatureId }) => signatureId).filter((id) => id !== undefined))].sort();
  const forms: SignatureForm[] = [];
  for (const chunk of toChunks(ids)) {
    const rows = await db
      .selectFrom('signatures')
      .select(['id', 'version', 'template', 'program', 'category'])
      .where('id', 'in', chunk)
      .orderBy('id')
      .execute();
    // Older stores have none: they were saved before there were categories.
    forms.push(...rows.map((row) => ({ ...row, category: row.category ?? toCategory(row) })));
  }
  return forms;
}
