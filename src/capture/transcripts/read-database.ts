/**
 * Reads the sessions of an agent's database that changed since the last read. The agent may be writing at the same
 * time: the read never keeps it waiting and holds the database for no longer than one session.
 */

import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { DatabaseFormat, RecordReader } from '../../base/contracts/agent-history.ts';
import type { ScanState } from '../../base/storage/scan-state.ts';
import { type Batch, FILE_START, isSilent, type OnEvents, openBatch, type SessionRead } from './session-read.ts';
import { readSiblingFiles } from './session-stat.ts';

/** Rows with an earlier time may have been committed after the last read. Reading a session twice does no harm. */
const OVERLAP_MS = 10_000;
/** A writer locks the database only for moments; a longer lock is left to the next scan. */
const BUSY_MS = 500;

type Row = Readonly<Record<string, SQLOutputValue>>;

interface Walk {
  readonly below: readonly StatementSync[];
  readonly batch: Batch;
  bytes: number;
}

/** `offset` of the state is the newest change that was read. Rejects if the database is locked or damaged. */
export async function readDatabase(
  format: DatabaseFormat,
  path: string,
  previous: ScanState | undefined,
  onEvents: OnEvents,
): Promise<SessionRead> {
  const from = previous ?? FILE_START;
  const isResting = isAtRest(path);
  const database = openDatabase(path, isResting);
  try {
    const missing = findMissing(database, format.tables);
    if (missing !== undefined)
      return { from, to: FILE_START, isOpen: false, bytes: 0, skipped: new Map([[missing, 1]]) };
    const below = format.below.map((sql) => database.prepare(sql));
    const walk: Walk = { below, batch: openBatch(onEvents), bytes: 0 };
    const skipped = countUnread(database, format);
    const marks = openMarks(from.offset);
    const siblingFiles = readSiblingFiles(path, format.siblingFiles);
    for (const session of database.prepare(format.sessions).all({ since: Math.max(0, from.offset - OVERLAP_MS) })) {
      const reader = format.open({ path, siblingFiles });
      await readSession(walk, reader, session);
      marks.add(session.touched, reader);
      addCounts(skipped, reader.skipped);
    }
    if (isResting && !isAtRest(path)) throw new Error('the agent began to write while its database was read');
    return { from, to: { offset: marks.toOffset(), lines: 0 }, isOpen: marks.isOpen(), bytes: walk.bytes, skipped };
  } finally {
    database.close();
  }
}

function isAtRest(path: string): boolean {
  return !existsSync(`${path}-wal`) && !existsSync(`${path}-journal`);
}

/**
 * If nobody has the database open and its log is empty, it is opened as an immutable file, which leaves no `-wal` and
 * `-shm` files behind.
 */
function openDatabase(path: string, isResting: boolean): DatabaseSync {
  const url = pathToFileURL(path);
  if (isResting) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true, timeout: BUSY_MS });
}

function findMissing(database: DatabaseSync, tables: DatabaseFormat['tables']): string | undefined {
  const list = database.prepare('SELECT name FROM pragma_table_info(:table)');
  for (const [table, wanted] of Object.entries(tables)) {
    const columns = new Set(list.all({ table }).map(({ name }) => name));
    if (columns.size === 0) return `the database has no table ${table}`;
    const column = wanted.find((name) => !columns.has(name));
    if (column !== undefined) return `the database has no column ${table}.${column}`;
  }
  return undefined;
}

function countUnread(database: DatabaseSync, { unread = {} }: DatabaseFormat): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [reason, sql] of Object.entries(unread)) {
    try {
      const n = Number(database.prepare(sql).get()?.n);
      if (n > 0) counts.set(reason, n);
    } catch {
      // An older database lacks these tables, so it has no such rows.
    }
  }
  return counts;
}

async function readSession(walk: Walk, reader: RecordReader, session: Row): Promise<void> {
  let line = 0;
  const read = async (row: Row, depth: number): Promise<void> => {
    for (const value of Object.values(row)) if (typeof value === 'string') walk.bytes += value.length;
    walk.batch.add(reader.read(row, depth, ++line));
    if (walk.batch.isFull) await walk.batch.flush();
    const rows = typeof row.id === 'string' ? walk.below[depth]?.iterate({ id: row.id }) : undefined;
    for (const next of rows ?? []) await read(next, depth + 1);
  };
  await read(session, 0);
  walk.batch.add(reader.end());
  if (isSilent(toMs(session.touched))) walk.batch.add(reader.leave());
  await walk.batch.flush();
}

/** Tracks how far the database was read: not beyond a session with a running call. */
function openMarks(from: number) {
  let newest = from;
  let oldestOpen = Number.POSITIVE_INFINITY;
  return {
    add(touched: SQLOutputValue | undefined, reader: RecordReader): void {
      const ms = toMs(touched);
      newest = Math.max(newest, ms);
      if (reader.leave().length > 0 && !isSilent(ms)) oldestOpen = Math.min(oldestOpen, ms);
    },
    isOpen: () => oldestOpen < Number.POSITIVE_INFINITY,
    /** A wrong clock must not hide later sessions. */
    toOffset: () => Math.max(0, Math.min(newest, oldestOpen, Date.now())),
  };
}

function toMs(value: SQLOutputValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Adds counts by reason. */
function addCounts(to: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [reason, n] of counts) to.set(reason, (to.get(reason) ?? 0) + n);
}
