/**
 * Splits a stream of bytes into whole lines, in constant memory and at disk speed, and passes them to a transcript
 * reader. The feed knows the offset at which a later read must resume.
 */

import { createReadStream, readSync } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import type { LineReader } from '../../base/contracts/agent-history.ts';
import type { AgentEvent } from '../../base/model/event.ts';

interface Line {
  /** Undefined for a line that is too long for memory. */
  readonly text: string | undefined;
  /** Byte offset of its first byte. */
  readonly start: number;
  /** Byte offset behind its newline. */
  readonly end: number;
  /** False for the text after the last newline, which may be half written. */
  readonly isComplete: boolean;
}

interface LineOptions {
  /** The offset of the first chunk in its file. */
  readonly from?: number;
  readonly maxLineBytes?: number;
  readonly decode?: DecodeLine;
}

/** Decodes the bytes of a line. */
type DecodeLine = (bytes: Buffer) => string;

const toText: DecodeLine = (bytes) => bytes.toString('utf8');
const CHUNK_BYTES = 256 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

/** Kept for the next file, because the system clears fresh memory page by page. */
let spare: Buffer | undefined;

/**
 * Reads part of a file. Yields the same buffer every time, so a caller must copy what it keeps. Synchronous, because
 * handing thousands of reads to another thread takes longer than most of them.
 */
export function* readChunks(fd: number, from: number, to: number): Generator<Buffer> {
  const chunk = spare ?? Buffer.allocUnsafe(CHUNK_BYTES);
  spare = undefined;
  try {
    for (let at = from; at < to; ) {
      const bytesRead = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, to - at), at);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    spare = chunk;
  }
}

/** Rejects if the file is not zstd. */
export async function* readZstdChunks(path: string): AsyncGenerator<Buffer> {
  const input = createReadStream(path);
  const output = createZstdDecompress();
  input.on('error', (error) => output.destroy(error));
  for await (const chunk of input.pipe(output)) yield chunk as Buffer;
}

/** One list of lines per chunk; text after the last newline comes alone at the end. */
export async function* readLines(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  { from = 0, maxLineBytes = MAX_LINE_BYTES, decode = toText }: LineOptions = {},
): AsyncGenerator<readonly Line[]> {
  const carry = openCarry(maxLineBytes, decode);
  let lineStart = from;
  let at = from;
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let begin = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, begin);
      if (newline === -1) break;
      const end = at + newline + 1;
      lines.push({ text: carry.finish(chunk.subarray(begin, newline)), start: lineStart, end, isComplete: true });
      begin = newline + 1;
      lineStart = end;
    }
    carry.add(chunk.subarray(begin));
    at += chunk.length;
    if (lines.length > 0) yield lines;
  }
  if (lineStart < at) yield [{ text: carry.finish(Buffer.alloc(0)), start: lineStart, end: at, isComplete: false }];
}

/** The beginning of a line that ends in a later chunk. */
function openCarry(maxBytes: number, decode: DecodeLine) {
  let parts: Buffer[] = [];
  let bytes = 0;
  return {
    add(part: Buffer): void {
      bytes += part.length;
      if (bytes > maxBytes) parts = [];
      else if (part.length > 0) parts.push(Buffer.from(part));
    },
    finish(part: Buffer): string | undefined {
      const isTooLong = bytes + part.length > maxBytes;
      const text = isTooLong ? undefined : decode(bytes === 0 ? part : Buffer.concat([...parts, part]));
      parts = [];
      bytes = 0;
      return text;
    },
  };
}

export interface ReadPoint {
  readonly offset: number;
  /** The number of lines before the offset. */
  readonly lines: number;
  /** The reader's memo at that point. */
  readonly memo?: string | undefined;
}

interface LineFeed {
  take(line: Line): readonly AgentEvent[];
  /** To be awaited before the next line. */
  readonly loading: Promise<void> | undefined;
  leave(): readonly AgentEvent[];
  toResumePoint(): ReadPoint;
  toSkipped(): ReadonlyMap<string, number>;
}

/** Passes lines to a reader and tracks the point at which a later read must resume. */
export function feedLines(reader: LineReader, from: ReadPoint): LineFeed {
  let { offset, lines, memo } = from;
  /** The starts of the lines since the oldest call that still waits for its result. */
  const held: ReadPoint[] = [];
  let tooLong = 0;

  const pass = (end: number): void => {
    const { pendingLine } = reader;
    if (pendingLine === undefined) held.length = 0;
    else {
      held.push({ offset, lines, memo });
      while (held[0] !== undefined && held[0].lines + 1 < pendingLine) held.shift();
    }
    offset = end;
    lines++;
    memo = reader.memo;
  };

  return {
    take(line) {
      const number = lines + 1;
      if (!line.isComplete) return isComplete(line.text) ? reader.read(line.text ?? '', number) : [];
      if (line.text === undefined) tooLong++;
      const events = reader.read(line.text ?? '', number);
      pass(line.end);
      return events;
    },
    get loading() {
      return reader.loading;
    },
    leave: () => reader.leave?.() ?? [],
    toResumePoint: () => held[0] ?? { offset, lines, memo },
    toSkipped: () => (tooLong === 0 ? reader.skipped : new Map([...reader.skipped, ['line too long', tooLong]])),
  };
}

/**
 * An exported file may lack its last newline. A whole JSON document is read but not passed over: half a line cannot be
 * one, and if the newline is still to come, reading the line again does no harm.
 */
function isComplete(text: string | undefined): boolean {
  try {
    return text !== undefined && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
