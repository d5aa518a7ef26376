/**
 * Quoted values masked. What stays, without its quotes: an option or an error code, which name the cause; the key of a JSON
 * object; the text of `msg="…"` and `"error": "…"`, which is the message; and a message that is quoted as a whole.
 */
import { MASK } from './mask-word.ts';

const ANY_QUOTE = /["'`“‘«]/;
const QUOTED =
  /"(?:[^"\\\n]|\\.)*"|`[^`'\n]*['`]|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|\b[bru]'[^'\n]*'|(?<![A-Za-z0-9>])'[^'\n]*'(?![A-Za-z])/g;
const CAUSE = /^(?:--?[A-Za-z][\w-]*|[A-Z]{1,8}\d{3,5}|E[A-Z]{3,}|ERR_\w+)$/;
const BEFORE_MESSAGE = /(?:^|[\s{,"'])(?:msg|message|error|err|reason|detail|details|description)["']?\s*[=:]\s*$/i;
const BEFORE_KEY = /[{,]\s*$/;
const AFTER_KEY = /^\s*:/;
/** How far back a key may start. */
const KEY_CHARS = 24;

export function maskQuotes(line: string): string {
  return ANY_QUOTE.test(line) ? line.replace(QUOTED, maskQuoted) : line;
}

function maskQuoted(quoted: string, at: number, line: string): string {
  const inner = quoted.replace(/^[bru]'/, "'").slice(1, -1);
  if (CAUSE.test(inner)) return inner;
  const before = line.slice(Math.max(0, at - KEY_CHARS), at);
  const after = line.slice(at + quoted.length, at + quoted.length + 2);
  if (BEFORE_KEY.test(before) && AFTER_KEY.test(after)) return inner;
  const isWhole = before.trim() === '' && line.slice(at + quoted.length).trim() === '';
  const isMessage = BEFORE_MESSAGE.test(before) && inner.includes(' ');
  // A space, or its first word would be taken for the value of the key.
  return isWhole || isMessage ? ` ${maskQuotes(inner.replaceAll('\\"', '"'))}` : MASK;
}
