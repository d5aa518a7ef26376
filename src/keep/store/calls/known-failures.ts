/**
 * Stores what is known of failures: cures (how agents got past failed calls) and remembered calls (failed calls by their
 * exact form). Reading a session again replaces the cures of its calls; a settled call stays settled. The words of a
 * failure are in the call's own row, where retention and redaction find them.
 */
import { sql } from 'kysely';
import type { Store } from '../../../base/contracts/store.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { CommandEdit } from '../../../base/shell/command-edit.ts';
import { cureColumns, rememberedColumns } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { listAllIds } from '../projects.ts';
import { omitNull, toTime } from '../row-values.ts';
import { toChunks, upsertAll } from '../statements.ts';

const CURES = { table: 'cures', key: ['agent', 'session_id', 'failing_call_id'] } as const;
const REMEMBERED = {
  table: 'remembered_calls',
  key: ['agent', 'session_id', 'call_id'],
  update: ['project_id', 'exact_key', 'needs', 'failed_at'],
} as const;

export function makeKnownFailureStore(engine: Engine) {
  const { db } = engine;
  return {
    async saveCures(cures) {
      if (cures.length === 0) return;
      const rows = cures.map((cure) => ({
        ...cureColumns.toRow({ ...cure, at: toTime(cure.at) }),
        edit: cure.edit === undefined ? null : JSON.stringify(cure.edit),
      }));
      await db.transaction().execute((trx) => upsertAll(engine, trx, CURES, rows));
    },
    async listCures({ signatureIds, limit } = {}) {
      const all = db.selectFrom('cures').selectAll().orderBy('cured_at', 'desc').orderBy('failing_call_id');
      const some = signatureIds === undefined ? all : all.where('signature_id', 'in', signatureIds);
      const rows = await (limit === undefined ? some : some.limit(limit)).execute();
      return rows.map((row) => {
        const edit = row.edit === null ? undefined : (JSON.parse(row.edit) as CommandEdit);
        return { ...cureColumns.toFields(row), ...dropAbsent({ edit }) };
      });
    },
    async saveRemembered(calls) {
      if (calls.length === 0) return;
      const rows = calls.map((call) => ({
        ...rememberedColumns.toRow({ ...call, at: toTime(call.at) }),
        needs: call.needs.join(' '),
        settled_at: null,
      }));
      await db.transaction().execute((trx) => upsertAll(engine, trx, REMEMBERED, rows));
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
        ...rememberedColumns.toFields(row),
        needs: needs.split(' '),
        ...omitNull({ signatureId, cause }),
      }));
    },
  } satisfies Partial<Store>;
}
