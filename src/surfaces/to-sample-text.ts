/**
 * A pattern of a trigger as a text that the rules for secrets can read: what is literal stays, what stands for anything is a
 * place holder, which they take for no secret. `--password[= ]\S+` has no value, `--password[= ]hunter2` has one.
 */

const ANYTHING = '$' + '{x}';
/** `(?:=|\s+)`, `["']?`: between a name and its value. */
const BETWEEN = /\((?:\?:)?(?:[=: "'|+*?]|\\[s"'=])+\)[?*+]?/g;
const OPTIONAL_QUOTE = /(?:\[(?:\\?["'`]){1,3}\]|["'`])[?*]/g;
const SEPARATORS = /\[(?:[=: \t]|\\[st=:])+\][?*+]?/g;
const BLANKS = /\\[st][*+?]?| [*+?]/g;
const QUOTES = /\[(?:\\?["'`]){1,3}\]/g;
const REST =
  /\\([dDwWS])|\\[bB]|\\(.)|\[(?:[^\]\\]|\\.)*\]|\{\d+(?:,\d*)?\}|\((?:\?(?::|<\w+>))?|[)^$]|(\|)|([.*+?])|([^\\[{()^$|.*+?]+|[\\[{])/gs;

export function regexToSample(source: string): string {
  const plain = source
    .replace(BETWEEN, '=')
    .replace(OPTIONAL_QUOTE, '')
    .replace(SEPARATORS, (set) => (set.includes('=') ? '=' : set.includes(':') ? ':' : ' '))
    .replace(BLANKS, ' ')
    .replace(QUOTES, '"')
    // An option is a word of its own.
    .replace(/\.[*+]\??(?=-)/g, '.* ');
  return joinRuns(plain.replace(REST, toPart));
}

function toPart(part: string, ...[set, escaped, or, any, literal]: readonly (string | undefined)[]): string {
  if (literal !== undefined || escaped !== undefined) return literal ?? escaped ?? '';
  // Each alternative is a text of its own.
  if (or !== undefined) return '\n';
  return set !== undefined || any !== undefined || part.startsWith('[') ? ANYTHING : '';
}

export function globToSample(glob: string): string {
  return joinRuns(glob.replace(/[*?]+|\[[^\]]*\]/g, ANYTHING));
}

/** A number of repetitions behind it, or several signs, or a variable: still anything. */
function joinRuns(text: string): string {
  return text.replaceAll(/(?:\$?\$\{x\})+/g, () => ANYTHING);
}
