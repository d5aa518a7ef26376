/** An agent's words on one line, without what could draw or hide something. Redacted before. */
import { toShortChars } from '../../../base/text/short-text.ts';
import { stripAnsi } from '../../../base/text/strip-ansi.ts';

const MAX_CHARS = 600;
const QUOTES = /^(["'])([^"']*)\1$/;
/** Controls, and signs that turn the direction of writing or cannot be seen. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;

export function toPlain(text: string): string {
  const line = stripAnsi(text).replace(/\s+/g, ' ').replace(HIDDEN, '').trim();
  const bare = QUOTES.exec(line)?.[2] ?? line;
  return toShortChars(bare, MAX_CHARS);
}
