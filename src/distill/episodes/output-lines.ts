/** The lines of an output in which a program's own error is looked for. */

import { stripAnsi } from '../../base/text/strip-ansi.ts';

/** A program reports its error early; later lines are logs. */
export const MAX_LINES = 120;
const MAX_LINE_CHARS = 300;

/** Each line once and without colours: logs repeat themselves, and a line that is read again tells nothing new. */
export function toOutputLines(output: string): readonly string[] {
  const lines = stripAnsi(output)
    .split('\n', MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= MAX_LINE_CHARS);
  return [...new Set(lines)];
}
