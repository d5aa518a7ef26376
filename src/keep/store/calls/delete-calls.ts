/** Removes calls and what depends only on them: links between calls, counts of signatures, unused signatures. */
import { sql } from 'kysely';
import type { CallRow, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { toChunks } from '../statements.ts';
import { linkCalls } from './preceding-calls.ts';
import { countSignatures, deleteUnusedSignatures } from './signatures.ts';

/** Resolves to the number of removed signatures. The caller holds the locks of the calls' sessions. */
export async function deleteCalls(engine: Engine, trx: StoreTransaction, rows: readonly CallRow[]): Promise<number> {
  const signatures = [...new Set(rows.map((row) => row.signature_id).filter((id) => id !== null))];
  await engine.lock(trx, 'signature', signatures);
  for (const chunk of toChunks(rows)) {
    const keys = sql.join(chunk.map((row) => sql`(${row.agent}, ${row.session_id}, ${row.call_id})`));
    for (const table of [sql.table('episodes'), sql.table('findings')]) {
      await sql`delete from ${table} where (agent, session_id, failing_call_id) in (values ${keys})`.execute(trx);
      await sql`delete from ${table} where (agent, session_id, fixing_call_id) in (values ${keys})`.execute(trx);
    }
    const ids = chunk.map((row) => row.id);
    await trx.deleteFrom('tool_outcomes').where('id', 'in', ids).execute();
  }
  await linkCalls(
    trx,
    rows.map((reported) => ({ reported })),
  );
  await countSignatures(trx, signatures);
  return deleteUnusedSignatures(trx, signatures);
}
