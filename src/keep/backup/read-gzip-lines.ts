/**
 * The lines of a gzip file, one by one. Not `node:readline`: that ends lines at U+2028 too, which stands unescaped in
 * JSON, and does not pass errors of its input on.
 */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** What a file that is no backup may fill the memory with. */
const MAX_LINE_LENGTH = 1 << 28;

/** Rejects with the error of the file system, of gzip or of the text's encoding. */
export async function* readGzipLines(file: string): AsyncGenerator<string, void, undefined> {
  const gunzip = createGunzip();
  // Errors of the file come out of the iteration below.
  pipeline(createReadStream(file), gunzip, () => {});
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let begun: string[] = [];
  let length = 0;
  for await (const bytes of gunzip) {
    const [first = '', ...others] = decoder.decode(bytes as Buffer, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > MAX_LINE_LENGTH) throw new RangeError('a line is too long');
    for (const next of others) {
      yield begun.join('');
      begun = [next];
      length = next.length;
    }
  }
  const rest = begun.join('') + decoder.decode();
  if (rest !== '') yield rest;
}
