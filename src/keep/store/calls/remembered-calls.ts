/**
 * Stores failed calls by their exact form. A call stays settled when its session is read again. The words of a failure
 * are in the call's own row, where retention and redaction find them.
 */
import { sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import type { RememberedCall } from '../../../base/model/knowledge.ts';
import type { RememberedRow } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../project-aliases.ts';
import { omitNull, toTime } from '../row-values.ts';
import { toChunks, upsertAll } from '../statements.ts';

const KEY = ['agent', 'session_id', 'call_id'] as const;
const UPDATES = ['project_id', 'exact_key', 'needs', 'failed_at'] as const;

type RememberedStore = Pick<Store, 'saveRemembered' | 'settleRemembered' | 'listRemembered'>;

export function makeRememberedStore(engine: Engine): RememberedStore {
  const { db } = engine;
  return {
    async saveRemembered(calls) {
      if (calls.length === 0) return;
      const how = { table: 'remembered_calls', key: KEY, update: UPDATES } as const;
      await db.transaction().execute((trx) => upsertAll(engine, trx, how, calls.map(toRow)));
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
        .select(['r.agent', 'r.session_id as sessionId', 'r.call_id as callId', 'r.project_id as projectId'])
        .select(['r.exact_key as exactKey', 'r.needs', 'r.failed_at as at'])
        .select(['t.signature_id as signatureId', 't.message as cause'])
        .where('r.settled_at', 'is', null);
      if (ids !== undefined) query = query.where('r.project_id', 'in', ids);
      const rows = await query.orderBy('r.failed_at', 'desc').orderBy('r.call_id').limit(limit).execute();
      return rows.map(({ needs, ...row }) => ({ ...omitNull(row), needs: needs.split(' ') }));
    },
  };
}

function toRow(call: RememberedCall): RememberedRow {
  return {
    agent: call.agent,
    session_id: call.sessionId,
    call_id: call.callId,
    project_id: call.projectId,
    exact_key: call.exactKey,
    needs: call.needs.join(' '),
    failed_at: toTime(call.at),
    settled_at: null,
  };
}
