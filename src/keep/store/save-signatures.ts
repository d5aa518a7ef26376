/** Adds those of the wanted signatures that calls speak of. A known one stays: the id is a hash of what is in it. */
import type { Kysely } from 'kysely';
import type { Call } from '../../base/call.ts';
import { toCategory } from '../../base/to-category.ts';
import type { DatabaseSchema, SignatureRow } from './database-schema.ts';
import { toChunks } from './to-chunks.ts';
import { toStorable } from './to-storable.ts';

export async function saveSignatures(
  db: Kysely<DatabaseSchema>,
  calls: readonly Call[],
  wanted: readonly string[],
): Promise<void> {
  const isWanted = new Set(wanted);
  const rows = new Map<string, SignatureRow>();
  for (const { signature, tool } of calls) {
    if (signature && isWanted.has(signature.id)) rows.set(signature.id, toRow(signature, tool));
  }
  for (const chunk of toChunks([...rows.values()])) {
    await db
      .insertInto('signatures')
      .values(chunk)
      // Stores of before there were categories get them when a failure is told again.
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
