/**
 * Reads the new events of a session file (log, document, tree of files or database) and the state to save for the next
 * read. A hash of the bytes before the saved offset shows that a file was rewritten, even if it grew and a line ends at
 * the same place.
 */

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  AgentHistory,
  DocumentFormat,
  LineFormat,
  RecordReader,
  SessionFormat,
  TreeFormat,
} from '../../base/contracts/agent-history.ts';
import { UserError } from '../../base/errors.ts';
import { hashText } from '../../base/ids.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { dropAbsent, parseJson } from '../../base/records.ts';
import type { ScanState } from '../../base/storage/scan-state.ts';
import { listOlderIds } from './older-files.ts';
import { readDatabase } from './read-database.ts';
import { feedLines, readChunks, readLines, readZstdChunks } from './read-lines.ts';
import { findFileFormat } from './session-files.ts';
import {
  type Batch,
  FILE_START,
  isSilent,
  type OnEvents,
  openBatch,
  openOwnSessions,
  type SessionRead,
} from './session-read.ts';
import {
  findDocument,
  listDocuments,
  MAX_DOCUMENT_BYTES,
  readSessionStat,
  readSiblingFiles,
  type SessionStat,
} from './session-stat.ts';

export interface TranscriptRead {
  /** To be saved after the events. A later read from it reports no event again, except those of open calls. */
  readonly state: ScanState;
  /** The file was truncated, rewritten, replaced, or is new to this reader, so it was read from its beginning. */
  readonly fromStart: boolean;
  readonly bytesRead: number;
  /** Reason -> lines that could not be used. */
  readonly skipped: ReadonlyMap<string, number>;
}

interface TranscriptSource {
  readonly path: string;
  readonly history: AgentHistory;
  /** Where the last read ended. */
  readonly previous?: ScanState | undefined;
}

interface OpenFile {
  readonly path: string;
  readonly fd: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Rejects when the file cannot be read. `onEvents` is awaited once per chunk, so that a slow store slows the read. */
export async function readTranscriptFile(source: TranscriptSource, onEvents: OnEvents): Promise<TranscriptRead> {
  const { path, history, previous } = source;
  const format = getFormat(history, path);
  const stat = readSessionStat(path, format);
  const isSame = previous?.parserVersion === history.version && previous.inode === stat.inode;
  const own = openOwnSessions(onEvents, format.kind === 'lines' && isSame && previous.offset > 0);
  const { from, to, tail, isOpen, bytes, skipped } = await readAs(
    format,
    path,
    stat,
    isSame ? previous : undefined,
    own.take,
  );
  // Only the beginning of a log shows that the session is ours, so the next read starts there again.
  const { offset, lines, memo } = own.found && format.kind === 'lines' ? FILE_START : to;
  return {
    state: {
      path,
      agent: history.facts.id,
      offset,
      lines,
      ...dropAbsent({ memo, ...(offset > 0 && { tail }) }),
      ...(isOpen ? { isOpen } : {}),
      ...stat,
      parserVersion: history.version,
    },
    fromStart: from === FILE_START,
    bytesRead: bytes,
    skipped,
  };
}

async function readAs(
  format: SessionFormat,
  path: string,
  { size, mtimeMs }: SessionStat,
  previous: ScanState | undefined,
  onEvents: OnEvents,
): Promise<SessionRead> {
  if (format.kind === 'database') return readDatabase(format, path, previous, onEvents);
  if (format.kind === 'tree') return readTree(format, { path, size, mtimeMs }, onEvents);
  // Synchronous like the reading itself, because another thread takes longer.
  const fd = openSync(path, 'r');
  try {
    const file = { path, fd, size, mtimeMs };
    return format.kind === 'lines'
      ? await readLog(format, file, previous, onEvents)
      : await readDocument(format, file, onEvents);
  } finally {
    closeSync(fd);
  }
}

/**
 * Has nothing been added? True if size, time, file and reader are the same, which saves opening the file. A file with a
 * running call is read once more after it stops changing, because the call may be lost.
 */
export function isUnchanged(
  previous: ScanState,
  now: { readonly size: number; readonly mtimeMs: number; readonly inode?: number },
  version: number,
): boolean {
  if (now.inode !== undefined && now.inode !== previous.inode) return false;
  if (previous.isOpen === true && isSilent(now.mtimeMs)) return false;
  return previous.size === now.size && previous.mtimeMs === now.mtimeMs && previous.parserVersion === version;
}

function getFormat(history: AgentHistory, path: string) {
  const format = findFileFormat(history, path);
  if (format !== undefined) return format;
  throw new UserError({
    subject: path,
    reason: `is not named like a session of ${history.facts.name}`,
    next: 'give a session file, or a folder of them',
  });
}

async function readLog(
  format: LineFormat,
  { path, fd, size, mtimeMs }: OpenFile,
  previous: ScanState | undefined,
  onEvents: OnEvents,
): Promise<SessionRead> {
  const isReadWhole = format.compression !== undefined;
  const from = previous !== undefined && !isReadWhole && isContinued(fd, previous, size) ? previous : FILE_START;
  const siblingFiles = readSiblingFiles(path, format.siblingFiles);
  const { copies } = format;
  const listOlder = copies && ((bornAt: string, since: string) => listOlderIds(path, copies, bornAt, since));
  const reader = format.open({ path, siblingFiles, ...dropAbsent({ memo: from.memo, listOlderIds: listOlder }) });
  const feed = feedLines(reader, from);
  const chunks = isReadWhole ? readZstdChunks(path) : readChunks(fd, from.offset, size);
  for await (const lines of readLines(chunks, { from: from.offset, ...(format.decode && { decode: format.decode }) })) {
    const events: AgentEvent[] = [];
    for (const line of lines) {
      for (const event of feed.take(line)) events.push(event);
      if (feed.loading !== undefined) await feed.loading;
    }
    if (events.length > 0) await onEvents(events);
  }
  const left = feed.leave();
  const isOpen = left.length > 0 && !isSilent(mtimeMs);
  if (left.length > 0 && !isOpen) await onEvents(left);
  const to = feed.toResumePoint();
  const tail = isReadWhole ? undefined : readTail(fd, to.offset);
  return { from, to, tail, isOpen, bytes: size - from.offset, skipped: feed.toSkipped() };
}

async function readDocument(format: DocumentFormat, file: OpenFile, onEvents: OnEvents): Promise<SessionRead> {
  const { path, fd, size, mtimeMs } = file;
  const whole = { from: FILE_START, to: { offset: size, lines: 0 }, isOpen: false, bytes: size };
  if (size > MAX_DOCUMENT_BYTES) return { ...whole, skipped: new Map([['document too large', 1]]) };
  const document = parseJson(readFileSync(fd, 'utf8'));
  if (document === undefined) return { ...whole, skipped: new Map([['not a JSON document', 1]]) };
  const {
    events,
    left = [],
    skipped,
  } = format.read(document, { path, siblingFiles: readSiblingFiles(path, format.siblingFiles) });
  const isOpen = left.length > 0 && !isSilent(mtimeMs);
  const reported = isOpen ? events : [...events, ...left];
  if (reported.length > 0) await onEvents(reported);
  return { ...whole, isOpen, skipped };
}

function isContinued(fd: number, previous: ScanState, size: number): boolean {
  if (size < previous.offset) return false;
  if (previous.offset === 0) return true;
  if (previous.tail !== undefined) return previous.tail === readTail(fd, previous.offset);
  // The state was saved before tails were stored. In a rewritten file, a line rarely ends exactly at the old offset.
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, previous.offset - 1) === 1 && last[0] === 10;
}

interface Walk {
  readonly root: string;
  readonly below: TreeFormat['below'];
  readonly reader: RecordReader;
  readonly batch: Batch;
  lines: number;
  bytes: number;
}

/** Reads a session whose records are separate files, level by level. One record is in memory at a time. */
async function readTree(
  format: TreeFormat,
  file: { readonly path: string; readonly size: number; readonly mtimeMs: number },
  onEvents: OnEvents,
): Promise<SessionRead> {
  const { path, size, mtimeMs } = file;
  const reader = format.open({ path, siblingFiles: readSiblingFiles(path, format.siblingFiles) });
  const batch = openBatch(onEvents);
  const walk: Walk = { root: dirname(path), below: format.below, reader, batch, lines: 0, bytes: 0 };
  await readRecord(walk, path, 0);
  batch.add(reader.end());
  const left = reader.leave();
  const isOpen = left.length > 0 && !isSilent(mtimeMs);
  if (!isOpen) batch.add(left);
  await batch.flush();
  return { from: FILE_START, to: { offset: size, lines: 0 }, isOpen, bytes: walk.bytes, skipped: reader.skipped };
}

async function readRecord(walk: Walk, path: string, depth: number): Promise<void> {
  const { value, bytes } = findDocument(path);
  walk.bytes += bytes;
  walk.batch.add(walk.reader.read(value, depth, ++walk.lines));
  if (walk.batch.isFull) await walk.batch.flush();
  const folder = walk.below[depth]?.(value);
  if (folder === undefined) return;
  for (const next of listDocuments(join(walk.root, folder))) await readRecord(walk, next, depth + 1);
}

/** Longer than the common end of similar lines; every line has its own time or id within so many bytes. */
const TAIL_BYTES = 256;

/**
 * A hash of the bytes right before the offset where reading ended. If they differ, the file was rewritten, even if it
 * grew and a line ends at the same offset. Undefined at the beginning of the file, and if it ends before `offset`.
 */
function readTail(fd: number, offset: number): string | undefined {
  const length = Math.min(TAIL_BYTES, offset);
  if (length === 0) return undefined;
  const tail = Buffer.alloc(length);
  return readSync(fd, tail, 0, length, offset - length) === length ? hashText(tail.toString('latin1')) : undefined;
}
