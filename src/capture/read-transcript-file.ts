/** The events of a transcript since the last time it was read, and how far it has now been read. */
import { type FileHandle, open } from 'node:fs/promises';
import type { AgentAdapter } from '../base/agent-adapter.ts';
import type { AgentEvent } from '../base/event.ts';
import type { ScanState } from '../base/scan-state.ts';
import { readLines } from './read-lines.ts';

/** Raised when a reader learns to see more: every file is then read again. */
export const PARSER_VERSION = 1;

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
    const { size, mtimeMs, ino } = await file.stat();
    const known = previous !== undefined && (await isContinued(file, previous, size, ino)) ? previous : undefined;
    const from = { offset: known?.offset ?? 0, lines: known?.lines ?? 0 };
    const marks = openMarks(from);
    const reader = adapter.openTranscript({ path, firstLine: from.lines + 1 });
    let tooLong = 0;
    for await (const lines of readLines(file, from.offset, size)) {
      const events: AgentEvent[] = [];
      for (const line of lines) {
        if (line.text === undefined) tooLong++;
        if (line.isWhole || isComplete(line.text)) events.push(...reader.read(line.text ?? ''));
        if (line.isWhole) marks.pass(line.end, reader.pendingLine);
      }
      if (events.length > 0) await onEvents(events);
    }
    const state: ScanState = {
      path,
      agent: adapter.facts.id,
      ...marks.toResumePoint(),
      size,
      mtimeMs,
      inode: ino,
      parserVersion: PARSER_VERSION,
    };
    const skipped = new Map(tooLong === 0 ? reader.skipped : [...reader.skipped, ['line too long', tooLong]]);
    return { state, fromStart: known === undefined, bytesRead: size - from.offset, skipped };
  } finally {
    await file.close();
  }
}

/** Nothing can have been added: neither size nor time nor file nor reader changed. Saves opening it. */
export function isUnchanged(previous: ScanState, now: { readonly size: number; readonly mtimeMs: number }): boolean {
  return previous.size === now.size && previous.mtimeMs === now.mtimeMs && previous.parserVersion === PARSER_VERSION;
}

async function isContinued(file: FileHandle, previous: ScanState, size: number, inode: number): Promise<boolean> {
  if (previous.parserVersion !== PARSER_VERSION || previous.inode !== inode || size < previous.offset) return false;
  if (previous.offset === 0) return true;
  // Rewritten in place and grown since: then hardly a line ends exactly where one ended before.
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, previous.offset - 1);
  return bytesRead === 1 && buffer[0] === 10;
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

/** Where a later read may start: behind the last line, but not behind a call whose result is still to come. */
function openMarks(from: { readonly offset: number; readonly lines: number }) {
  let passed = from;
  let held: { readonly offset: number; readonly lines: number }[] = [];
  return {
    pass(end: number, pendingLine: number | undefined): void {
      if (pendingLine === undefined) held = [];
      else {
        held.push(passed);
        while (held[0] !== undefined && held[0].lines + 1 < pendingLine) held.shift();
      }
      passed = { offset: end, lines: passed.lines + 1 };
    },
    toResumePoint(): { readonly offset: number; readonly lines: number } {
      return held[0] ?? passed;
    },
  };
}
