/**
 * Saves signatures of failures, recounts them, and lists the most frequent. A known signature never changes, because
 * its id is a hash of its content. Counters are recomputed instead of incremented, because increments drift when calls
 * are reported again.
 */

import { sql } from 'kysely';
import type { Call } from '../../../base/model/call.ts';
import type { HistoryFilter, SignatureCount } from '../../../base/statistics/history.ts';
import { toCategory } from '../../../base/text/failure-category.ts';
import type { Database, SignatureRow } from '../database-schema.ts';
import { toStorable } from '../row-values.ts';
import { BY_AGENT, toChunks } from '../statements.ts';
import { joinConditions, toConditions } from './call-counts.ts';

export async function saveSignatures(db: Database, calls: readonly Call[], wanted: readonly string[]): Promise<void> {
  const isWanted = new Set(wanted);
  const rows = new Map<string, SignatureRow>();
  for (const { signature, tool } of calls) {
    if (signature && isWanted.has(signature.id)) rows.set(signature.id, toRow(signature, tool));
  }
  for (const chunk of toChunks([...rows.values()])) {
    await db
      .insertInto('signatures')
      .values(chunk)
      // Signatures from before there were categories get one when a failure is reported again.
      .onConflict((oc) =>
        oc
          .column('id')
          .doUpdateSet((eb) => ({ category: eb.ref('excluded.category') }))
          .where('signatures.category', 'is', null),
      )
      .execute();
  }
}

function toRow(signature: NonNullable<Call['signature']>, tool: Call['tool']): SignatureRow {
  const { id, version, template, program } = signature;
  const counters = { count: 0, sessions: 0, projects: 0, first: null, last: null };
  return toStorable({ id, version, template, program, tool, category: toCategory(signature), ...counters });
}

/** Recounts the failures of these signatures, because an incremented counter drifts when calls are reported again. */
export async function countSignatures(db: Database, ids: readonly string[]): Promise<void> {
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

/** Resolves to the number of removed signatures. */
export async function deleteUnusedSignatures(db: Database, ids: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const chunk of toChunks(ids)) {
    const { numDeletedRows } = await db
      .deleteFrom('signatures')
      .where('id', 'in', chunk)
      .where(sql<boolean>`not exists (select 1 from tool_outcomes where signature_id = signatures.id)`)
      .executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

/** The most frequent failures, by template. */
export async function listTopSignatures(
  db: Database,
  filter: HistoryFilter & { readonly limit: number },
): Promise<readonly SignatureCount[]> {
  const conditions = [sql`signature_id is not null`, sql`outcome = 'failure'`, BY_AGENT];
  const hasModel = sql`exists (select 1 from sessions as x
    where x.agent = tool_outcomes.agent and x.session_id = tool_outcomes.session_id and x.model = ${filter.model})`;
  const all = [...conditions, ...(await toConditions(db, filter)), ...(filter.model === undefined ? [] : [hasModel])];
  const { rows } = await sql<SignatureCount>`
    select c.signature_id as "signature", s.program, coalesce(c.message, s.template) as "message",
      c.count, c.masked, c.sessions, c.last
    from (
      select signature_id, min(message) as message, count(*) as count, sum(masked) as masked,
        count(distinct agent || ' ' || session_id) as sessions, max(occurred_at) as last
      from tool_outcomes
      where ${joinConditions(all)}
      group by signature_id
    ) as c
    join signatures as s on s.id = c.signature_id
    order by c.count desc, c.last desc, c.signature_id
    limit ${filter.limit}
  `.execute(db);
  return rows.map((row) => ({ ...row }));
}
