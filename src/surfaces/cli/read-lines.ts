/** The lines of a stream, as many at a time as came together. A line ends with `\n` alone: messages have other marks in them. */
import { StringDecoder } from 'node:string_decoder';
import { UserError } from '../../base/errors.ts';

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
  return new UserError({ subject: 'standard input', reason: 'has a line that is too long', next });
}
