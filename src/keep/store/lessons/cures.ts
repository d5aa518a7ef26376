/** Stores cures: how agents got past failed calls. Reading a session again replaces the cures of its calls. */
import type { Store } from '../../../base/contracts/store.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { CommandEdit } from '../../../base/shell/command-edit.ts';
import { cureColumns } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { toTime } from '../row-values.ts';
import { upsertAll } from '../statements.ts';

export function makeCureStore(engine: Engine) {
  const { db } = engine;
  return {
    async saveCures(cures) {
      if (cures.length === 0) return;
      const rows = cures.map((cure) => ({
        ...cureColumns.toRow({ ...cure, at: toTime(cure.at) }),
        edit: cure.edit === undefined ? null : JSON.stringify(cure.edit),
      }));
      const how = { table: 'cures', key: ['agent', 'session_id', 'failing_call_id'] } as const;
      await db.transaction().execute((trx) => upsertAll(engine, trx, how, rows));
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
  } satisfies Partial<Store>;
}
