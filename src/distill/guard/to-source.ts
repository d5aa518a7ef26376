/** A text in the form in which it is looked for in others: one plain line, in small letters. */
import { toSearchable } from './find-quoted.ts';
import { toPlainLine } from './to-plain-line.ts';

export function toSource(text: string): string {
  return toSearchable(toPlainLine(text)).replace(/\s+/g, ' ');
}
