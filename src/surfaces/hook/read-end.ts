/** The end of a file that somebody else writes. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export interface FileEnd {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Undefined when there is none that can be read. */
export function readEnd(path: string, maxBytes: number): FileEnd | undefined {
  let file: number | undefined;
  try {
    // A pipe of that name would keep the agent waiting.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.allocUnsafe(Math.min(maxBytes, stat.size));
    const read = readSync(file, bytes, 0, bytes.length, stat.size - bytes.length);
    return { text: bytes.toString('utf8', 0, read), isWhole: bytes.length === stat.size };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
