/**
 * Finds the longest text that every match of a regular expression must contain; empty if none is certain. Searching for
 * it is far cheaper than running the regex, and almost every call lacks it.
 */

const COUNT = /^\{\d+(?:,\d*)?\}/;
/** Escapes for a set, a position or white space: they contain no text, but the pattern can still be read. */
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
    // A literal brace is rare, so it gets no shortcut.
    if (char === '|' || (char === '{' && !COUNT.test(source.slice(i)))) return '';
    if (char === '\\') {
      const next = source.charAt(++i);
      if (PLAIN_ESCAPES.test(next)) end(run);
      else if (ALPHANUMERIC.test(next)) return '';
      else run += next;
    } else if (ENDS_TEXT.includes(char)) {
      // The character before it is optional.
      end('*?{'.includes(char) ? run.slice(0, -1) : run);
      i = skip(source, i);
    } else run += char;
  }
  end(run);
  return best;
}

/** The index of the last character of the group, class or count that begins at `start`; otherwise `start`. */
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
