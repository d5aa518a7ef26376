/**
 * Terminal input and progress: reads keys one by one, defines the error for Ctrl+C at a question, and prints plain
 * progress lines where there is no terminal. Whatever happens, `close` restores the user's terminal. Ctrl+C is not a
 * failure: the command ends silently, as if the system had ended it.
 */

import type { ReadStream, WriteStream } from 'node:tty';
import type { Terminal } from './command.ts';

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

/** The person pressed Ctrl+C at a question. Nothing went wrong: the command ends without a word, as if the system had ended it. */
export class Interrupted extends Error {}

/** 128 and the number of the signal, as shells say it. */
export const INTERRUPTED_CODE = 130;

/** Progress where there is no terminal, as in a log: now and then a line that says it goes on, and nothing drawn. */
const PLAIN_MS = 5_000;

/** What is over sooner says nothing. */
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
