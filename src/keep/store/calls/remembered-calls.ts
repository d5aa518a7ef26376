/**
 * Stores failed calls by their exact form. A call stays settled when its session is read again. The words of a failure
 * are in the call's own row, where retention and redaction find them.
 */
import { sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import { rememberedColumns } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../projects.ts';
import { omitNull, toTime } from '../row-values.ts';
import { toChunks, upsertAll } from '../statements.ts';

const UPSERT = {
  table: 'remembered_calls',
  key: ['agent', 'session_id', 'call_id'],
  update: ['project_id', 'exact_key', 'needs', 'failed_at'],
} as const;

export function makeRememberedStore(engine: Engine) {
  const { db } = engine;
  return {
    async saveRemembered(calls) {
      if (calls.length === 0) return;
      const rows = calls.map((call) => ({
        ...rememberedColumns.toRow({ ...call, at: toTime(call.at) }),
        ...{ needs: call.needs.join(' '), settled_at: null },
      }));
      await db.transaction().execute((trx) => upsertAll(engine, trx, UPSERT, rows));
    },
    async settleRemembered(calls, at) {
      await db.transaction().execute(async (trx) => {
        for (const chunk of toChunks(calls)) {
          const keys = sql.join(chunk.map((call) => sql`(${call.agent}, ${call.sessionId}, ${call.callId})`));
          await sql`update remembered_calls set settled_at = ${toTime(at)}
            where settled_at is null and (agent, session_id, call_id) in (values ${keys})`.execute(trx);
        }
      });
    },
    async listRemembered({ projectIds, limit }) {
      const ids = projectIds && (await listAllIds(db, projectIds));
      let query = db
        .selectFrom('remembered_calls as r')
        .leftJoin('tool_outcomes as t', (join) =>
          join
            .onRef('t.agent', '=', 'r.agent')
            .onRef('t.session_id', '=', 'r.session_id')
            .onRef('t.call_id', '=', 'r.call_id'),
        )
        .selectAll('r')
        .select(['t.signature_id as signatureId', 't.message as cause'])
        .where('r.settled_at', 'is', null);
      if (ids !== undefined) query = query.where('r.project_id', 'in', ids);
      const rows = await query.orderBy('r.failed_at', 'desc').orderBy('r.call_id').limit(limit).execute();
      return rows.map(({ needs, signatureId, cause, ...row }) => ({
        ...{ ...rememberedColumns.toFields(row), needs: needs.split(' ') },
        ...omitNull({ signatureId, cause }),
      }));
    },
  } satisfies Partial<Store>;
}
