/** Stores the scan state of each transcript: how far it was read. */
import type { Store } from '../../base/contracts/store.ts';
import { scanStateColumns } from './database-schema.ts';
import type { Engine } from './engines/engine.ts';
import { upsertAll } from './statements.ts';

export function makeScanStateStore(engine: Engine) {
  const { db } = engine;
  return {
    async listScanStates(paths) {
      const all = db.selectFrom('scan_state').selectAll();
      const rows = await (paths === undefined ? all : all.where('path', 'in', paths)).execute();
      return rows.map((row) => ({
        ...scanStateColumns.toFields(row),
        ...(row.is_open === 0 ? {} : { isOpen: true as const }),
      }));
    },
    async saveScanStates(states) {
      if (states.length === 0) return;
      const rows = states.map((state) => ({
        ...scanStateColumns.toRow(state),
        is_open: Number(state.isOpen === true),
      }));
      await db.transaction().execute((trx) => upsertAll(engine, trx, { table: 'scan_state', key: ['path'] }, rows));
    },
  } satisfies Partial<Store>;
}
