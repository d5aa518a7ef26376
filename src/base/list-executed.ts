/** The commands that `find` runs on what it finds: the words from `-exec` to `;` or `+`, or to the next one. */
import type { Argument } from './simple-command.ts';

const EXECUTING = new Set(['-exec', '-execdir', '-ok', '-okdir']);

export function listExecuted([name, ...args]: readonly Argument[]): readonly (readonly Argument[])[] {
  if (name?.value.split('/').pop() !== 'find') return [];
  const found: Argument[][] = [];
  let words: Argument[] | undefined;
  for (const word of args) {
    if (EXECUTING.has(word.value)) {
      words = [];
      found.push(words);
    } else if (word.value === ';' || word.value === '+') words = undefined;
    else words?.push(word);
  }
  return found.filter(({ length }) => length > 0);
}
