/** The commands that `find` runs on what it finds: the words from `-exec` to `;` or `+`. */
import type { Argument } from './simple-command.ts';

const EXECUTING = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const ENDS = new Set([';', '+']);

export function listExecuted([name, ...args]: readonly Argument[]): readonly (readonly Argument[])[] {
  if (name?.value.split('/').pop() !== 'find') return [];
  return args.flatMap(({ value }, at) => {
    if (!EXECUTING.has(value)) return [];
    // Up to one inside it, which is listed by itself: a thousand of them are a thousand commands, not two to their number.
    const end = args.findIndex((word, i) => i > at && (ENDS.has(word.value) || EXECUTING.has(word.value)));
    const words = args.slice(at + 1, end < 0 ? args.length : end);
    return words.length === 0 ? [] : [words];
  });
}
