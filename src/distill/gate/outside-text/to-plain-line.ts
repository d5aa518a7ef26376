/** A text as one line that shows what it is: no line breaks, no terminal codes, nothing that is read but not seen. */
import { stripAnsi } from '../../../base/text/strip-ansi.ts';

/** Zero-width and joining characters, marks that turn the direction of writing, tags, and what only picks a glyph. */
const UNSEEN =
  '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]';
const CONTROL = '[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]';

const ANY = new RegExp(`${CONTROL}|${UNSEEN}|\\p{Surrogate}`, 'u');
const CONTROLS = new RegExp(`${CONTROL}+|\\p{Surrogate}`, 'gu');
const UNSEENS = new RegExp(UNSEEN, 'gu');

/** A text without any of it comes back as it is. */
export function toPlainLine(text: string): string {
  if (!ANY.test(text)) return text;
  return stripAnsi(text.replaceAll('\r', ' '))
    .replace(CONTROLS, ' ')
    .replace(UNSEENS, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}
