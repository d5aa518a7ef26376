/** The events of a transcript since the last time it was read, and how far it has now been read. */
import { type FileHandle, open } from 'node:fs/promises';
import type { AgentAdapter, TranscriptReader } from '../base/agent-adapter.ts';
import type { AgentEvent } from '../base/event.ts';
import type { ScanState } from '../base/scan-state.ts';
import { type Line, readLines } from './read-lines.ts';

/** Raised when a reader learns to see more: every file is then read again. */
export const PARSER_VERSION = 2;

/** Nobody has written for so long: a call that still waits was under way when its session died. */
const SILENT_MS = 30 * 60_000;

export interface TranscriptRead {
  /** To be saved once the events are. Reading again from it tells no event that was told but those of open calls. */
  readonly state: ScanState;
  /** The file had been truncated, rewritten or replaced, or is new to this parser: it was read from its beginning. */
  readonly fromStart: boolean;
  readonly bytesRead: number;
  /** Reason -> lines that could not be used. */
  readonly skipped: ReadonlyMap<string, number>;
}

export interface TranscriptSource {
  readonly path: string;
  readonly adapter: AgentAdapter;
  /** Where the last read ended. */
  readonly previous?: ScanState | undefined;
}

/** Rejects when the file cannot be read. `onEvents` is awaited once per chunk, so that a slow store slows the read. */
export async function readTranscriptFile(
  { path, adapter, previous }: TranscriptSource,
  onEvents: (events: readonly AgentEvent[]) => void | Promise<void>,
): Promise<TranscriptRead> {
  const file = await open(path, 'r');
  try {
    const { size, mtimeMs, ino: inode } = await file.stat();
    const isContinued = previous !== undefined && (await isSameFile(file, previous, size, inode));
    const from = isContinued ? previous : { offset: 0, lines: 0 };
    const feed = openFeed(adapter.openTranscript({ path, firstLine: from.lines + 1 }), from);
    for await (const lines of readLines(file, from.offset, size)) {
      const events = lines.flatMap(feed.take);
      if (events.length > 0) await onEvents(events);
    }
    const left = Date.now() - mtimeMs > SILENT_MS ? feed.leave() : [];
    if (left.length > 0) await onEvents(left);
    const { offset, lines } = feed.toResumePoint();
    const agent = adapter.facts.id;
    return {
      state: { path, agent, offset, lines, size, mtimeMs, inode, parserVersion: PARSER_VERSION },
      fromStart: !isContinued,
      bytesRead: size - from.offset,
      skipped: feed.toSkipped(),
    };
  } finally {
    await file.close();
  }
}

/** Nothing can have been added: neither size nor time nor file nor reader changed. Saves opening it. */
export function isUnchanged(previous: ScanState, now: { readonly size: number; readonly mtimeMs: number }): boolean {
  return previous.size === now.size && previous.mtimeMs === now.mtimeMs && previous.parserVersion === PARSER_VERSION;
}

async function isSameFile(file: FileHandle, previous: ScanState, size: number, inode: number): Promise<boolean> {
  if (previous.parserVersion !== PARSER_VERSION || previous.inode !== inode || size < previous.offset) return false;
  if (previous.offset === 0) return true;
  // Rewritten in place and grown since: then hardly a line ends exactly where one ended before.
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, previous.offset - 1);
  return bytesRead === 1 && buffer[0] === 10;
}

interface Point {
  readonly offset: number;
  /** Lines before it. */
  readonly lines: number;
}

/** Lines into the reader, and the point from which a later read has to go on. */
function openFeed(reader: TranscriptReader, from: Point) {
  let passed = from;
  /** The beginnings of the lines since the oldest call whose result is still to come. */
  let held: Point[] = [];
  let tooLong = 0;

  const pass = (end: number): void => {
    const { pendingLine } = reader;
    if (pendingLine === undefined) held = [];
    else {
      held.push(passed);
      while (held[0] !== undefined && held[0].lines + 1 < pendingLine) held.shift();
    }
    passed = { offset: end, lines: passed.lines + 1 };
  };

  return {
    take(line: Line): readonly AgentEvent[] {
      if (!line.isWhole) return isComplete(line.text) ? reader.read(line.text ?? '') : [];
      if (line.text === undefined) tooLong++;
      const events = reader.read(line.text ?? '');
      pass(line.end);
      return events;
    },
    leave: (): readonly AgentEvent[] => reader.leave?.() ?? [],
    toResumePoint: (): Point => held[0] ?? passed,
    toSkipped: (): ReadonlyMap<string, number> =>
      tooLong === 0 ? reader.skipped : new Map([...reader.skipped, ['line too long', tooLong]]),
  };
}

/**
 * A file that was exported may lack its last newline. What is a whole JSON document is told, but not passed: half of a
 * line can never be one, and if the newline is still to come, telling it again does no harm.
 */
function isComplete(text: string | undefined): boolean {
  try {
    return text !== undefined && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
