/**
 * The longest text that every match of a regular expression must contain; empty when there is none that is certain.
 * Looking for it is far cheaper than running the regex, and almost every call fails right there.
 */

const COUNT = /^\{\d+(?:,\d*)?\}/;
/** Escapes that stand for a set, a place or white space: no text, but the rest of the pattern can still be read. */
const PLAIN_ESCAPES = /[dDwWsSbBfnrtv]/;
const ALPHANUMERIC = /[a-zA-Z0-9]/;
const ENDS_TEXT = '.^$()[{*?+';

export function findLiteral(source: string): string {
  let best = '';
  let run = '';
  const end = (kept: string): void => {
    if (kept.length > best.length) best = kept;
    run = '';
  };
  for (let i = 0; i < source.length; i++) {
    const char = source.charAt(i);
    // A brace that counts nothing is itself a character; whoever writes so gets no shortcut.
    if (char === '|' || (char === '{' && !COUNT.test(source.slice(i)))) return '';
    if (char === '\\') {
      const next = source.charAt(++i);
      if (PLAIN_ESCAPES.test(next)) end(run);
      else if (ALPHANUMERIC.test(next)) return '';
      else run += next;
    } else if (ENDS_TEXT.includes(char)) {
      // The character before it may be there not at all.
      end('*?{'.includes(char) ? run.slice(0, -1) : run);
      i = skip(source, i);
    } else run += char;
  }
  end(run);
  return best;
}

/** The last character of the group, class or count that begins here; of anything else it is the first one too. */
function skip(source: string, start: number): number {
  const first = source.charAt(start);
  if (first === '{') return source.indexOf('}', start);
  if (first !== '(' && first !== '[') return start;
  let depth = 0;
  let inClass = false;
  for (let i = start; i < source.length; i++) {
    const char = source.charAt(i);
    if (char === '\\') i++;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    if (depth === 0 && !inClass && char !== '\\') return i;
  }
  return source.length;
}
