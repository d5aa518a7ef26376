/** A terminal whose keys are read one by one. Whatever happens, `close` gives the person their terminal back. */
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
