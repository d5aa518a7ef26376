/** Saves and recounts signatures of failures. A known signature never changes: its id is a hash of its content. */

import { sql } from 'kysely';
import type { Call } from '../../../base/model/call.ts';
import { toCategory } from '../../../base/text/failure-category.ts';
import type { Database, SignatureRow } from '../database-schema.ts';
import { toStorable } from '../row-values.ts';
import { toChunks } from '../statements.ts';

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
