/** The whole lines of a part of a file, in constant memory, as fast as the disk gives them. */
import type { FileHandle } from 'node:fs/promises';

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

const CHUNK_BYTES = 1024 * 1024;
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

/** One list of lines per chunk; what follows the last newline before `to`, if anything, comes alone at the end. */
export async function* readLines(
  file: FileHandle,
  from: number,
  to: number,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const carry = openCarry(maxLineBytes);
  let lineStart = from;
  for (let at = from; at < to; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK_BYTES, to - at), at);
    if (bytesRead === 0) break;
    const lines: Line[] = [];
    let begin = 0;
    for (;;) {
      const newline = chunk.subarray(0, bytesRead).indexOf(NEWLINE, begin);
      if (newline === -1) break;
      const end = at + newline + 1;
      lines.push({ text: carry.finish(chunk.subarray(begin, newline)), start: lineStart, end, isWhole: true });
      begin = newline + 1;
      lineStart = end;
    }
    carry.add(chunk.subarray(begin, bytesRead));
    at += bytesRead;
    if (lines.length > 0) yield lines;
  }
  if (lineStart < to) yield [{ text: carry.finish(chunk.subarray(0, 0)), start: lineStart, end: to, isWhole: false }];
}

/** The beginning of a line whose end is in a later chunk. */
function openCarry(maxBytes: number) {
  let parts: Buffer[] = [];
  let bytes = 0;
  return {
    add(part: Buffer): void {
      bytes += part.length;
      if (bytes > maxBytes) parts = [];
      // The chunk is used again: its bytes have to be copied.
      else if (part.length > 0) parts.push(Buffer.from(part));
    },
    finish(part: Buffer): string | undefined {
      const isTooLong = bytes + part.length > maxBytes;
      const text = isTooLong ? undefined : (bytes === 0 ? part : Buffer.concat([...parts, part])).toString('utf8');
      parts = [];
      bytes = 0;
      return text;
    },
  };
}
