/** A text in the form in which it is looked for in others: one plain line, in small letters. */
import { toSearchable } from './find-quoted.ts';
import { toPlainLine } from './to-plain-line.ts';

export function toSource(text: string): string {
  if (BEYOND_ASCII.test(text)) return toSearchable(toPlainLine(text)).replace(/\s+/g, ' ');
  // The same for plain ASCII, as most outputs are, in a third of the time.
  if (!CONTROL.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ');
  return text.replace(BLANKS, ' ').trim().toLowerCase();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are read as such
const BEYOND_ASCII = /[^\0-\x7f]|\x1b/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is a line break to some
const CONTROL = /[\0-\x1f\x7f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is a line break to some
const BLANKS = /[\0-\x20\x7f]{2,}|[\0-\x1f\x7f]/g;
