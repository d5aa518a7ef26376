/** Stores cures: how agents got past failed calls. Reading a session again replaces the cures of its calls. */
import type { Store } from '../../../base/contracts/store.ts';
import type { Cure } from '../../../base/model/cure.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { CommandEdit } from '../../../base/shell/command-edit.ts';
import type { CureRow } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import { toTime } from '../row-values.ts';
import { upsertAll } from '../statements.ts';

const KEY = ['agent', 'session_id', 'failing_call_id'] as const;
const UPDATES = ['fixing_call_id', 'project_id', 'signature_id', 'kind', 'text', 'edit', 'cured_at'] as const;

export function makeCureStore(engine: Engine): Pick<Store, 'saveCures' | 'listCures'> {
  const { db } = engine;
  return {
    async saveCures(cures) {
      if (cures.length === 0) return;
      const how = { table: 'cures', key: KEY, update: UPDATES } as const;
      await db.transaction().execute((trx) => upsertAll(engine, trx, how, cures.map(toRow)));
    },
    async listCures({ signatureIds, limit } = {}) {
      const all = db.selectFrom('cures').selectAll().orderBy('cured_at', 'desc').orderBy('failing_call_id');
      const some = signatureIds === undefined ? all : all.where('signature_id', 'in', signatureIds);
      const rows = await (limit === undefined ? some : some.limit(limit)).execute();
      return rows.map(toCure);
    },
  };
}

function toRow(cure: Cure): CureRow {
  return {
    agent: cure.agent,
    session_id: cure.sessionId,
    failing_call_id: cure.failingCallId,
    fixing_call_id: cure.fixingCallId,
    project_id: cure.projectId,
    signature_id: cure.signatureId,
    kind: cure.kind,
    text: cure.text,
    edit: cure.edit === undefined ? null : JSON.stringify(cure.edit),
    cured_at: toTime(cure.at),
  };
}

function toCure(row: CureRow): Cure {
  return {
    agent: row.agent,
    sessionId: row.session_id,
    failingCallId: row.failing_call_id,
    fixingCallId: row.fixing_call_id,
    projectId: row.project_id,
    signatureId: row.signature_id,
    kind: row.kind,
    text: row.text,
    ...dropAbsent({ edit: row.edit === null ? undefined : (JSON.parse(row.edit) as CommandEdit) }),
    at: row.cured_at,
  };
}
