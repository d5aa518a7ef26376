/** How far each transcript has been read. */
import type { Kysely } from 'kysely';
import type { ScanState } from '../../base/scan-state.ts';
import type { Store } from '../../base/store.ts';
import type { DatabaseSchema, ScanStateRow } from './database-schema.ts';
import { fromExcluded } from './from-excluded.ts';

export function makeScanStateStore(db: Kysely<DatabaseSchema>): Pick<Store, 'findScanState' | 'saveScanState'> {
  return {
    async findScanState(path) {
      const row = await db.selectFrom('scan_state').selectAll().where('path', '=', path).executeTakeFirst();
      return row && toScanState(row);
    },
    async saveScanState(state) {
      const { path, ...columns } = toRow(state);
      await db.transaction().execute((trx) =>
        trx
          .insertInto('scan_state')
          .values({ path, ...columns })
          .onConflict((oc) =>
            oc.column('path').doUpdateSet(fromExcluded(Object.keys(columns) as (keyof typeof columns)[])),
          )
          .execute(),
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
  };
}
