/**
 * Splits a stream of bytes into whole lines, in constant memory and at disk speed, and feeds them to a transcript
 * reader. The feed knows the offset at which a later read must resume.
 */

import { createReadStream, readSync } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import type { LineReader } from '../../base/contracts/agent-history.ts';
import type { AgentEvent } from '../../base/model/event.ts';

interface Line {
  /** Undefined for a line too long to be held. */
  readonly text: string | undefined;
  /** Byte offset of its first byte. */
  readonly start: number;
  /** Byte offset behind its newline. */
  readonly end: number;
  /** False for what follows the last newline: it may be half written. */
  readonly isWhole: boolean;
}

interface LineOptions {
  /** Where the first chunk begins in its file. */
  readonly from?: number;
  readonly maxLineBytes?: number;
  readonly decode?: DecodeLine;
}

/** The bytes of a line as text. */
type DecodeLine = (bytes: Buffer) => string;

const toText: DecodeLine = (bytes) => bytes.toString('utf8');
const CHUNK_BYTES = 256 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

/** For the next file: memory that was never used is cleared by the system first, page by page. */
let spare: Buffer | undefined;

/**
 * Part of a file. The same buffer every time: what is needed longer has to be copied. Without waiting: handing each of
 * thousands of reads to another thread and back takes longer than most of them.
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

/** Rejects when the file is not what its name says. */
export async function* readZstdChunks(path: string): AsyncGenerator<Buffer> {
  const input = createReadStream(path);
  const output = createZstdDecompress();
  input.on('error', (error) => output.destroy(error));
  for await (const chunk of input.pipe(output)) yield chunk as Buffer;
}

/** One list of lines per chunk; what follows the last newline, if anything, comes alone at the end. */
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
      lines.push({ text: carry.finish(chunk.subarray(begin, newline)), start: lineStart, end, isWhole: true });
      begin = newline + 1;
      lineStart = end;
    }
    carry.add(chunk.subarray(begin));
    at += chunk.length;
    if (lines.length > 0) yield lines;
  }
  if (lineStart < at) yield [{ text: carry.finish(Buffer.alloc(0)), start: lineStart, end: at, isWhole: false }];
}

/** The beginning of a line whose end is in a later chunk. */
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
  /** Lines before it. */
  readonly lines: number;
  /** What the reader had noted by then. */
  readonly memo?: string | undefined;
}

interface LineFeed {
  take(line: Line): readonly AgentEvent[];
  /** To be waited for before the next line. */
  readonly loading: Promise<void> | undefined;
  leave(): readonly AgentEvent[];
  toResumePoint(): ReadPoint;
  toSkipped(): ReadonlyMap<string, number>;
}

/** Lines into a reader, and the point from which a later read has to go on. */
export function feedLines(reader: LineReader, from: ReadPoint): LineFeed {
  let { offset, lines, memo } = from;
  /** The beginnings of the lines since the oldest call whose result is still to come. */
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
      if (!line.isWhole) return isComplete(line.text) ? reader.read(line.text ?? '', number) : [];
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
