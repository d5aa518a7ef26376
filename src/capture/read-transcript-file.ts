/** The events of a session file since the last time it was read, and how far it has now been read. */
import { type FileHandle, open } from 'node:fs/promises';
import type { AgentHistory, DocumentFormat, LineFormat } from '../base/agent-history.ts';
import { UserError } from '../base/errors.ts';
import type { AgentEvent } from '../base/event.ts';
import type { ScanState } from '../base/scan-state.ts';
import { feedLines, type ReadPoint } from './feed-lines.ts';
import { findFormat } from './find-format.ts';
import { readBeside } from './read-beside.ts';
import { readChunks, readLines, readZstdChunks } from './read-lines.ts';

/** Nobody has written for so long: a call that still waits was under way when its session died. */
const SILENT_MS = 30 * 60_000;
/** A whole document is held in memory several times over. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const START: ReadPoint = { offset: 0, lines: 0 };

export interface TranscriptRead {
  /** To be saved once the events are. Reading again from it tells no event that was told but those of open calls. */
  readonly state: ScanState;
  /** The file had been truncated, rewritten or replaced, or is new to this reader: it was read from its beginning. */
  readonly fromStart: boolean;
  readonly bytesRead: number;
  /** Reason -> lines that could not be used. */
  readonly skipped: ReadonlyMap<string, number>;
}

export interface TranscriptSource {
  readonly path: string;
  readonly history: AgentHistory;
  /** Where the last read ended. */
  readonly previous?: ScanState | undefined;
}

export type OnEvents = (events: readonly AgentEvent[]) => void | Promise<void>;

interface Read {
  readonly from: ReadPoint;
  readonly to: ReadPoint;
  readonly skipped: ReadonlyMap<string, number>;
}

interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Rejects when the file cannot be read. `onEvents` is awaited once per chunk, so that a slow store slows the read. */
export async function readTranscriptFile(source: TranscriptSource, onEvents: OnEvents): Promise<TranscriptRead> {
  const { path, history, previous } = source;
  const format = getFormat(history, path);
  const handle = await open(path, 'r');
  try {
    const { size, mtimeMs, ino: inode } = await handle.stat();
    const file = { path, handle, size, mtimeMs };
    const isSame = previous?.parserVersion === history.version && previous.inode === inode;
    const { from, to, skipped } =
      format.kind === 'lines'
        ? await readLog(format, file, isSame ? previous : undefined, onEvents)
        : await readDocument(format, file, onEvents);
    const { offset, lines, memo } = to;
    return {
      state: {
        path,
        agent: history.agent,
        offset,
        lines,
        ...(memo === undefined ? {} : { memo }),
        size,
        mtimeMs,
        inode,
        parserVersion: history.version,
      },
      fromStart: from === START,
      bytesRead: size - from.offset,
      skipped,
    };
  } finally {
    await handle.close();
  }
}

/** Nothing can have been added: neither size nor time nor reader changed. Saves opening it. */
export function isUnchanged(
  previous: ScanState,
  now: { readonly size: number; readonly mtimeMs: number },
  version: number,
): boolean {
  return previous.size === now.size && previous.mtimeMs === now.mtimeMs && previous.parserVersion === version;
}

function getFormat(history: AgentHistory, path: string) {
  const format = findFormat(history, path);
  if (format !== undefined) return format;
  throw new UserError({
    subject: path,
    reason: `is not named like a session of ${history.name}`,
    next: 'give a session file, or a folder of them',
  });
}

async function readLog(
  format: LineFormat,
  { path, handle, size, mtimeMs }: OpenFile,
  previous: ScanState | undefined,
  onEvents: OnEvents,
): Promise<Read> {
  const isWhole = format.compression !== undefined;
  const from = previous !== undefined && !isWhole && (await isContinued(handle, previous, size)) ? previous : START;
  const beside = readBeside(path, format.beside);
  const feed = feedLines(format.open({ path, beside, ...(from.memo === undefined ? {} : { memo: from.memo }) }), from);
  const chunks = isWhole ? readZstdChunks(path) : readChunks(handle, from.offset, size);
  for await (const lines of readLines(chunks, from.offset)) {
    const events = lines.flatMap(feed.take);
    if (events.length > 0) await onEvents(events);
  }
  const left = Date.now() - mtimeMs > SILENT_MS ? feed.leave() : [];
  if (left.length > 0) await onEvents(left);
  return { from, to: feed.toResumePoint(), skipped: feed.toSkipped() };
}

async function readDocument(format: DocumentFormat, file: OpenFile, onEvents: OnEvents): Promise<Read> {
  const { path, handle, size } = file;
  const to = { offset: size, lines: 0 };
  if (size > MAX_DOCUMENT_BYTES) return { from: START, to, skipped: new Map([['document too large', 1]]) };
  const document = parseDocument((await handle.readFile()).toString('utf8'));
  if (document === undefined) return { from: START, to, skipped: new Map([['not a JSON document', 1]]) };
  const { events, skipped } = format.read(document, { path, beside: readBeside(path, format.beside) });
  if (events.length > 0) await onEvents(events);
  return { from: START, to, skipped };
}

async function isContinued(file: FileHandle, previous: ScanState, size: number): Promise<boolean> {
  if (size < previous.offset) return false;
  if (previous.offset === 0) return true;
  // Rewritten in place and grown since: then hardly a line ends exactly where one ended before.
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, previous.offset - 1);
  return bytesRead === 1 && buffer[0] === 10;
}

function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
