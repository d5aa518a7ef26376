/**
 * What a command reads from its user: keys of a terminal one by one, and standard input as lines or whole. Also the
 * error for Ctrl+C at a question, and plain progress lines where there is no terminal. Whatever happens, `close`
 * restores the user's terminal.
 */

import { StringDecoder } from 'node:string_decoder';
import type { ReadStream, WriteStream } from 'node:tty';
import type { UserError } from '../../base/errors.ts';
import type { Terminal } from './command.ts';
import { userError } from './errors.ts';

const LEAVING = new Set(['\x03', '\x04']);
const COLUMNS = 80;

export function openTerminal(input: ReadStream, output: WriteStream): Terminal {
  const waiting: string[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  const take = (chunk: Buffer): void => {
    waiting.push(...splitKeys(chunk.toString('utf8')));
    wake?.();
  };
  const end = (): void => {
    isOver = true;
    wake?.();
  };
  input.setRawMode(true);
  input.on('data', take);
  input.once('end', end);
  input.resume();
  return {
    columns: output.columns || COLUMNS,
    write: (text) => void output.write(text),
    async readKey() {
      while (waiting.length === 0 && !isOver) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      const key = waiting.shift();
      if (key === undefined || !LEAVING.has(key)) return key;
      isOver = true;
      waiting.length = 0;
      return undefined;
    },
    close() {
      input.setRawMode(false);
      input.off('data', take);
      input.off('end', end);
      input.pause();
    },
  };
}

/** What was typed fast comes together; an arrow is one key. */
export function splitKeys(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: arrows and the like begin with one.
  return text.match(/\x1b(?:\[[\d;]*[A-Za-z~]|O[A-Z])|[\s\S]/gu) ?? [];
}

/**
 * The person pressed Ctrl+C at a question. Nothing went wrong: the command ends without a word, as if the system had
 * ended it.
 */
export class Interrupted extends Error {}

/** 128 and the number of the signal, as shells say it. */
export const INTERRUPTED_CODE = 130;

/** Progress where there is no terminal, as in a log: now and then a line that says it goes on, and nothing drawn. */
const PLAIN_MS = 5_000;

/** A command that ends sooner prints no progress. */
export function makePlainProgress(
  write: (line: string) => void,
  now: () => number = () => performance.now(),
): (line: string) => void {
  let saidMs = now();
  return (line) => {
    if (now() - saidMs < PLAIN_MS) return;
    saidMs = now();
    write(`${line.replaceAll(/[█░]+ /g, '')}\n`);
  };
}

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
    // The parts are joined once the line is complete, because a line of a gigabyte comes in many parts.
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
