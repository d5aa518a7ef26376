/**
 * Values that a command gives to a variable and then uses as a secret: `P=…; sshpass -p "$P"`. The name of such a variable
 * tells nothing. What tells is the place in which it is used, so the value is put there and the rules are asked about it.
 */

export interface Assigned {
  readonly name: string;
  readonly value: string;
  /** Where the value stands in the text, without its quotes. */
  readonly at: number;
}

/** In double quotes, in single quotes, or bare. */
const VALUE = `(?:\\\\{0,31}"([^"\\\\\\n$]{1,200})|'([^'\\n]{1,200})'|([^\\s"'\`$;&|<>()\\\\[][^\\s"'\`$;&|<>()\\\\]{0,199}))`;
const NAME = '([A-Za-z_]\\w{0,60})';

/** `P=x` of POSIX shells and cmd, `$P = 'x'` of PowerShell, `set -x P x` of fish, `read P <<< x`. */
const ASSIGNMENTS = [
  `(?<![\\w$.{/?&-])${NAME}=${VALUE}`,
  `\\$(?:env:)?${NAME}[ \\t]{0,4}=[ \\t]{0,4}${VALUE}`,
  `(?<![\\w-])set[ \\t]{1,4}(?:-\\w{1,6}[ \\t]{1,4}){0,2}${NAME}[ \\t]{1,4}${VALUE}`,
  `(?<![\\w-])read[ \\t]{1,4}(?:-\\w{1,6}[ \\t]{1,4}){0,3}${NAME}[ \\t]{0,4}<<<[ \\t]{0,4}${VALUE}`,
].map((source) => new RegExp(source, 'dg'));
const LOOP = new RegExp(`(?<![\\w-])for[ \\t]{1,4}${NAME}[ \\t]{1,4}in[ \\t]{1,4}([^;\\n$]{1,400})(?=[;\\n])`, 'dg');
const LOOP_WORD = /"([^"]+)"|'([^']+)'|(?<![^\s])([^\s"'`()[\]*?]+)(?![^\s;])/dg;

/** Longer texts are files and outputs. */
const MAX_CHARS = 8_000;
const MAX_ASSIGNED = 16;
const REFERENCE = /\$\{?(?:env:)?([A-Za-z_]\w{0,60})(?:[:#%/?+-][^{}\n]{0,80})?\}?|%([A-Za-z_]\w{0,60})%/g;

/** The values of variables that the text also uses. */
export function listAssigned(text: string): readonly Assigned[] {
  if (text.length > MAX_CHARS || !/\$|%[A-Za-z_]\w*%/.test(text)) return NONE;
  const used = new Set(Array.from(text.matchAll(REFERENCE), ([, name, ofCmd]) => name ?? ofCmd));
  if (used.size === 0) return NONE;
  const all = [...ASSIGNMENTS.flatMap((pattern) => listMatches(text, pattern, '', 0)), ...listLoops(text)];
  return all.filter(({ name, value }) => used.has(name) && !value.startsWith('[redacted:')).slice(0, MAX_ASSIGNED);
}

const NONE: readonly Assigned[] = [];

/** `known`: the variable, where the pattern finds values only. */
function listMatches(text: string, pattern: RegExp, known: string, offset: number): readonly Assigned[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const name = known || (match[1] ?? '');
    const group = match.findIndex((part, n) => n > (known === '' ? 1 : 0) && part !== undefined);
    return { name, value: match[group] ?? '', at: offset + (match.indices?.[group]?.[0] ?? 0) };
  }).filter(({ value }) => value !== '');
}

function listLoops(text: string): readonly Assigned[] {
  return Array.from(text.matchAll(LOOP)).flatMap((loop) =>
    listMatches(loop[2] ?? '', LOOP_WORD, loop[1] ?? '', loop.indices?.[2]?.[0] ?? 0),
  );
}

/** The text as it is with the variables' values in it: one text, or one for each value where a variable has several. */
export function listExpanded(text: string, assigned: readonly Assigned[]): readonly string[] {
  const byName = Map.groupBy(assigned, ({ name }) => name);
  const count = Math.max(0, ...Array.from(byName.values(), (values) => values.length));
  return Array.from({ length: count }, (_, n) =>
    text.replace(REFERENCE, (reference, name?: string, ofCmd?: string) => {
      const values = byName.get(name ?? ofCmd ?? '') ?? [];
      return values[Math.min(n, values.length - 1)]?.value ?? reference;
    }),
  );
}

/** The text without those of the values that are secrets. */
export function dropAssigned(text: string, assigned: readonly Assigned[], mark: string): string {
  return assigned
    .toSorted((a, b) => b.at - a.at)
    .reduce((clean, { at, value }) => clean.slice(0, at) + mark + clean.slice(at + value.length), text);
}
