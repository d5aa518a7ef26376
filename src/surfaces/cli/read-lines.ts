/** The lines of a stream, as many at a time as came together. A line ends with `\n` alone: messages have other marks in them. */
import { StringDecoder } from 'node:string_decoder';

export async function* readLines(stream: AsyncIterable<Buffer | string>): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let rest: string[] = [];
  for await (const chunk of stream) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    // Joined only once a line is whole: one of a gigabyte comes in many parts.
    if (lines.length > 0) {
      lines[0] = [...rest, lines[0]].join('');
      rest = [];
      yield lines;
    }
    if (last !== '') rest.push(last);
  }
  const end = [...rest, decoder.end()].join('');
  if (end !== '') yield [end];
}
