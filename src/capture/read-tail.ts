/**
 * What stands right before the place where reading ended, as a hash: other bytes there mean that the file was written
 * anew and is not the one that was read, even if it grew and a line ends at the same place.
 */
import { readSync } from 'node:fs';
import { hashText } from '../base/hash.ts';

/** Longer than what lines of one kind end with alike; every line has a time or an id of its own in so many bytes. */
const TAIL_BYTES = 256;

/** Undefined at the beginning of the file, and where it ends before `offset`. */
export function readTail(fd: number, offset: number): string | undefined {
  const length = Math.min(TAIL_BYTES, offset);
  if (length === 0) return undefined;
  const tail = Buffer.alloc(length);
  return readSync(fd, tail, 0, length, offset - length) === length ? hashText(tail.toString('latin1')) : undefined;
}
