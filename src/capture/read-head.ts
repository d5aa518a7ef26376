/** The beginning of a file as text, by which its format is told. */
import { closeSync, openSync, readSync } from 'node:fs';

const HEAD_BYTES = 4096;

/** Empty when the file cannot be read. */
export function readHead(path: string, bytes = HEAD_BYTES): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const head = Buffer.alloc(bytes);
    return head.toString('utf8', 0, readSync(file, head));
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
