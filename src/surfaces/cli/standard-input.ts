/**
 * Reads standard input: as lines, or whole and bounded for one lesson. A line ends with `\n` alone, because messages
 * contain other line separators. One lesson is at most 1 MB, because nobody writes a longer one and `yes` never ends.
 */

import { StringDecoder } from 'node:string_decoder';
import type { UserError } from '../../base/errors.ts';
import { userError } from './errors.ts';

export async function* readLines(
  stream: AsyncIterable<Buffer | string>,
  maxChars = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let rest: string[] = [];
  let chars = 0;
  for await (const chunk of stream) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    // Joined only once a line is whole: one of a gigabyte comes in many parts.
    if (lines.length > 0) {
      lines[0] = [...rest, lines[0]].join('');
      rest = [];
      chars = 0;
      yield lines;
    }
    if (last !== '') rest.push(last);
    chars += last.length;
    if (chars > maxChars) throw tooLong();
  }
  const end = [...rest, decoder.end()].join('');
  if (end !== '') yield [end];
}

function tooLong(): UserError {
  const next = 'give a text file; see what can be imported: oncebitten lessons import --help';
  return userError('standard input', 'has a line that is too long', next);
}

/** All of standard input, for one lesson: nobody writes a lesson of a megabyte, and `yes` never ends. */
const MAX_LESSON_BYTES = 1024 * 1024;

export async function readBounded(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MAX_LESSON_BYTES)
      throw userError(
        'standard input',
        'is larger than 1 MB, too large for one lesson',
        'give one lesson; many at once: oncebitten lessons import -',
      );
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
