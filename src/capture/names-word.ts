/** Whether a line of output speaks about a word of a command: its program, an option, a file it was given. */
import type { SimpleCommand } from '../base/simple-command.ts';

/** Shorter words stand in any text. */
const MIN_CHARS = 3;

export function namesWord(line: string, commands: readonly SimpleCommand[]): boolean {
  return commands.some(({ program, args }) => [program, ...args.flatMap(toWords)].some((word) => has(line, word)));
}

function toWords({ value }: SimpleCommand['args'][number]): readonly string[] {
  const at = value.indexOf('=');
  return at === -1 ? [value] : [value, value.slice(0, at), value.slice(at + 1)];
}

/** As a whole word: `main` is not in `domain`. */
function has(line: string, word: string): boolean {
  if (word.length < MIN_CHARS || word.length > line.length) return false;
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    if (!isWordChar(line[at - 1]) && !isWordChar(line[at + word.length])) return true;
  }
  return false;
}

function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[\w-]/.test(char);
}
