/**
 * What stands right before the place where reading ended, as a hash: other bytes there mean that the file was written
 * anew and is not the one that was read, even if it grew and a line ends at the same place.
 */
import type { FileHandle } from 'node:fs/promises';
import { hashText } from '../base/hash.ts';

/** Longer than what lines of one kind end with alike; every line has a time or an id of its own in so many bytes. */
const TAIL_BYTES = 256;

/** Undefined at the beginning of the file, and where it ends before `offset`. */
export async function readTail(file: FileHandle, offset: number): Promise<string | undefined> {
  const length = Math.min(TAIL_BYTES, offset);
  if (length === 0) return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset - length);
  return bytesRead === length ? hashText(buffer.toString('latin1')) : undefined;
}
