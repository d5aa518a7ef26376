/** The whole lines of a stream of bytes, in constant memory, as fast as the disk gives them. */
import { createReadStream, readSync } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';

export interface Line {
  /** Undefined for a line too long to be held. */
  readonly text: string | undefined;
  /** Byte offset of its first byte. */
  readonly start: number;
  /** Byte offset behind its newline. */
  readonly end: number;
  /** False for what follows the last newline: it may be half written. */
  readonly isWhole: boolean;
}

export interface LineOptions {
  /** Where the first chunk begins in its file. */
  readonly from?: number;
  readonly maxLineBytes?: number;
  readonly decode?: DecodeLine;
}

/** The bytes of a line as text. */
export type DecodeLine = (bytes: Buffer) => string;

const toText: DecodeLine = (bytes) => bytes.toString('utf8');
const CHUNK_BYTES = 256 * 1024;
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
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
