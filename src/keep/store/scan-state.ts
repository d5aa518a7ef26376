/** Stores the scan state of each transcript: how far it was read. */

import type { Store } from '../../base/contracts/store.ts';
import type { ScanState } from '../../base/storage/scan-state.ts';
import type { ScanStateRow } from './database-schema.ts';
import type { Engine } from './engines/engine.ts';
import type { Row } from './statements.ts';

type ScanStateStore = Pick<Store, 'listScanStates' | 'saveScanStates'>;

export function makeScanStateStore({ db, upsert }: Engine): ScanStateStore {
  return {
    async listScanStates(paths) {
      const all = db.selectFrom('scan_state').selectAll();
      const query = paths === undefined ? all : all.where('path', 'in', paths);
      return (await query.execute()).map(toScanState);
    },
    async saveScanStates(states) {
      const rows = states.map(toRow);
      const [first] = rows;
      if (first === undefined) return;
      const columns = Object.keys(first);
      const update = columns.filter((column) => column !== 'path');
      await db
        .transaction()
        .execute((trx) =>
          upsert(trx, { table: 'scan_state', columns, key: ['path'], update }, rows as unknown as readonly Row[]),
        );
    },
  };
}

function toRow(state: ScanState): ScanStateRow {
  return {
    path: state.path,
    agent: state.agent,
    byte_offset: state.offset,
    lines: state.lines,
    size: state.size,
    mtime_ms: state.mtimeMs,
    inode: state.inode,
    last_record_id: null,
    parser_version: state.parserVersion,
    memo: state.memo ?? null,
    tail: state.tail ?? null,
    is_open: Number(state.isOpen === true),
  };
}

function toScanState(row: ScanStateRow): ScanState {
  return {
    path: row.path,
    agent: row.agent,
    offset: row.byte_offset,
    lines: row.lines,
    size: row.size,
    mtimeMs: row.mtime_ms,
    inode: row.inode,
    parserVersion: row.parser_version,
    ...(row.memo === null ? {} : { memo: row.memo }),
    ...(row.tail === null ? {} : { tail: row.tail }),
    ...(row.is_open === 0 ? {} : { isOpen: true as const }),
  };
}
