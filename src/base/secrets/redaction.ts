/**
 * Removes secrets from a text before it is shortened or written to disk: known token formats first, then values after a
 * name that marks a secret, and values of variables that a command uses as a secret. Every pattern is linear in
 * practice, because it starts at a literal or behind a boundary and its repetitions cannot overlap. Redacting twice
 * changes nothing.
 */

import { type HintSearch, makeHintSearch } from '../text/hint-search.ts';
import { listSecretInputs } from './input-rules.ts';
import { findNearSecrets, listSecretNames, OPTION_HINT } from './name-rules.ts';
import { listSecretPlaces } from './place-rules.ts';
import { listSecretPrograms } from './program-rules.ts';
import type { SecretRule } from './secret-rule.ts';
import { findCallValue, findTellingValue } from './secret-values.ts';
import { listSecretTexts } from './text-rules.ts';
import { listSecretTokens, makeDiscordToken } from './token-rules.ts';

export function redact(text: string): string {
  ours ??= makeRedactor([]);
  return ours(text).text;
}

interface Redacted {
  readonly text: string;
  /**
   * Words that the text contains: those that our rules need and those that the caller asked for. May contain some that
   * the text does not.
   */
  readonly hints: ReadonlySet<string>;
  /** Values that were removed because of their place, and that are secret in other places too. */
  readonly values: readonly string[];
  /** The same for the text's own call, including short values and plain words. */
  readonly callValues: readonly string[];
}

/** `words`, in lower case, are searched for in the same pass, for callers that search on. */
export function makeRedactor(words: readonly string[]): (text: string) => Redacted {
  const rules = listRules(words);
  return (text) => {
    const joined = joinLines(text);
    let [clean, hints] = [joined, rules.search(joined)];
    const values: Values = { telling: new Set(), ofCall: new Set() };
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const next = redactOnce({ text: clean, hints, values }, rules);
      if (next === clean) break;
      [clean, hints] = [next, rules.search(next)];
    }
    const whole = redactVariables(clean, values, rules);
    // A text without a secret keeps its line breaks.
    const kept = whole === joined ? text : whole;
    return { text: kept, hints, values: toList(values.telling), callValues: toList(values.ofCall) };
  };
}

/**
 * A shell joins a line that ends with its continuation mark to the next: `\` of POSIX shells (also in an escaped text),
 * the backtick of PowerShell, `^` of cmd. A secret may follow the mark as it may follow a blank. The last two need a
 * word and a blank before them, because code ends with a backtick and compilers point with `^`.
 */
const CONTINUED = /([ \t]{0,80})(?:\\\r?\n|\\{3,31}n(?=[ \t])|(?<=[^\s^~`][ \t]{1,80})[`^]\r?\n)([ \t]{0,80})/g;

/** Escapes have backslashes, too, so a backslash alone is no mark. */
const MARKS = ['\\\n', '\\\r\n', '\\\\\\', '`\n', '^\n', '`\r\n', '^\r\n'];

function joinLines(text: string): string {
  if (!MARKS.some((mark) => text.includes(mark))) return text;
  return text.replace(CONTINUED, (_, before: string, behind: string) => (before + behind === '' ? '' : ' '));
}

/** Built when a text is first redacted, not when the hook loads. */
let ours: ((text: string) => Redacted) | undefined;

/** A replacement may expose the edge of the next secret. Two passes are usual; a text without secrets needs one. */
const MAX_PASSES = 16;

const NO_VALUES: readonly string[] = [];

function toList(values: ReadonlySet<string>): readonly string[] {
  return values.size === 0 ? NO_VALUES : [...values];
}

interface Values {
  readonly telling: Set<string>;
  readonly ofCall: Set<string>;
}

interface Pass {
  readonly text: string;
  readonly hints: ReadonlySet<string>;
  readonly values: Values;
}

/** Most texts contain no word that any rule needs. A word that only a replacement adds is found in the next pass. */
function redactOnce({ text, hints, values }: Pass, all: Rules): string {
  const { rules, isHinted, discord } = all;
  let redacted = text;
  if (hints.size > 0) {
    markHinted(hints, all);
    for (let i = 0; i < rules.length; i++)
      if (isHinted[i] === 1) redacted = replace(redacted, rules[i] ?? discord, values);
  }
  for (const rule of findNearSecrets(redacted, hints.has(OPTION_HINT))) redacted = replace(redacted, rule, values);
  return mayHoldDiscord(redacted) ? replace(redacted, discord, values) : redacted;
}

/** Removes the value of a variable if the rules find a secret where the variable is used. */
function redactVariables(text: string, values: Values, rules: Rules): string {
  const assigned = listAssigned(text);
  if (assigned.length === 0) return text;
  const found: Values = { telling: new Set(), ofCall: new Set() };
  for (const expanded of listExpanded(text, assigned))
    redactOnce({ text: expanded, hints: rules.search(expanded), values: found }, rules);
  const secret = assigned.filter(({ value }) => found.ofCall.has(value) || found.telling.has(value));
  for (const { value } of secret) {
    values.ofCall.add(value);
    if (found.telling.has(value)) values.telling.add(value);
  }
  return dropAssigned(text, secret, '[redacted:credential]');
}

/** Goes by the words that were found, because they are few and there are a hundred rules. Keeps the rules' order. */
function markHinted(hints: ReadonlySet<string>, { byHint, isHinted }: Rules): void {
  isHinted.fill(0);
  for (const hint of hints) for (const rank of byHint.get(hint) ?? NO_RANKS) isHinted[rank] = 1;
}

function replace(text: string, rule: SecretRule, values: Values): string {
  if (rule.when?.test(text) === false) return text;
  return text.replace(rule.pattern, (match, ...groups) => {
    const kept = toKept(groups);
    const taken = match.slice(kept.length);
    const at = groups.find((group) => typeof group === 'number') ?? 0;
    const inComment = isInComment(text, at, at + match.length);
    // The input of a program may have one secret on each line.
    for (const line of rule.kind === 'credential' ? [taken] : taken.split(LINE_END)) {
      const value = findTellingValue(rule.kind, line);
      if (value !== undefined) values.telling.add(value);
      const ofCall = findCallValue(rule.kind, kept, line, inComment);
      if (ofCall !== undefined) values.ofCall.add(ofCall);
    }
    return `${kept}[redacted:${rule.kind}]`;
  });
}

const LINE_END = /\n|\\{1,31}n/;

/** Comments of shells, C-like languages and SQL. Markdown headings have more than one `#`. */
const COMMENT = /(?:^|[\s;])(?:#(?!#)|\/\/|--[ \t])[^\n]*$/;
/** From the last character of a value on, which may be a comma. */
const COMMENT_END = /^(?:[,;.)]|[\s\S][ \t]*(?:$|[\n,;.)]|\\n|\\?["']))/;
/** Few, because they are searched again for every secret in a long line. */
const COMMENT_CHARS = 200;

/** Does a comment end with this part of the text, or continue after a comma? `# token: see below` contains no value. */
function isInComment(text: string, from: number, to: number): boolean {
  if (!COMMENT_END.test(text.slice(to - 1, to + 8))) return false;
  return COMMENT.test(text.slice(Math.max(0, from - COMMENT_CHARS), from));
}

/** The groups are the arguments before the match's offset. */
function toKept(groups: readonly unknown[]): string {
  const end = groups.findIndex((group) => typeof group === 'number');
  return groups
    .slice(0, end)
    .filter((group) => typeof group === 'string')
    .join('');
}

interface Rules {
  readonly search: HintSearch;
  readonly rules: readonly SecretRule[];
  /** The indexes of the rules that need a word. */
  readonly byHint: ReadonlyMap<string, readonly number[]>;
  /** Overwritten for every text. */
  readonly isHinted: Uint8Array;
  readonly discord: SecretRule;
}

const NO_RANKS: readonly number[] = [];
/** The minimum length of a token, including its two dots. */
const DISCORD_CHARS = 59;

/** The token has no fixed word, but two dots at a fixed distance. */
function mayHoldDiscord(text: string): boolean {
  if (text.length < DISCORD_CHARS) return false;
  for (let at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) {
    if (text.charAt(at + 7) === '.') return true;
  }
  return false;
}

function listRules(words: readonly string[]): Rules {
  const tokens = listSecretTokens();
  const others = [
    ...[...listSecretPlaces(), ...listSecretInputs(), ...listSecretPrograms()],
    ...[...listSecretNames(), ...listSecretTexts()],
  ];
  const search = makeHintSearch({
    exact: new Set(tokens.flatMap((rule) => rule.hints)),
    anyCase: new Set([...others.flatMap((rule) => rule.hints), OPTION_HINT, ...words]),
  });
  const rules = [...tokens, ...others];
  return { search, rules, byHint: toRanks(rules), isHinted: new Uint8Array(rules.length), discord: makeDiscordToken() };
}

function toRanks(rules: readonly SecretRule[]): Rules['byHint'] {
  const byHint = new Map<string, number[]>();
  for (const [rank, rule] of rules.entries())
    for (const hint of rule.hints) byHint.set(hint, [...(byHint.get(hint) ?? []), rank]);
  return byHint;
}

/**
 * Values that a command assigns to a variable and then uses as a secret: `P=…; sshpass -p "$P"`. The name of the
 * variable proves nothing, but the place of its use does, so the value is substituted there and the rules are applied.
 */
interface Assigned {
  readonly name: string;
  readonly value: string;
  /** The position of the value in the text, without its quotes. */
  readonly at: number;
}

/** In double quotes, in single quotes, or bare. */
const VALUE = `(?:\\\\{0,31}"([^"\\\\\\n$]{1,200})|'([^'\\n]{1,200})'|([^\\s"'\`$;&|<>()\\\\[][^\\s"'\`$;&|<>()\\\\]{0,199}))`;
const NAME = '([A-Za-z_]\\w{0,60})';

/** `P=x` and `P=$(echo x)` of POSIX shells, `P=x` of cmd, `$P = 'x'` of PowerShell, `set -x P x` of fish, `read P <<< x`. */
const ASSIGNMENTS = [
  `(?<![\\w$.{/?&-])${NAME}=(?:\\\\{0,31}"?\\$\\([ \\t]{0,4}(?:echo|printf)[ \\t]{1,4}(?:(?:-\\w{1,3}|'%s')[ \\t]{1,4})?)?${VALUE}`,
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
function listAssigned(text: string): readonly Assigned[] {
  if (text.length > MAX_CHARS || !/\$|%[A-Za-z_]\w*%/.test(text)) return NONE;
  const used = new Set(Array.from(text.matchAll(REFERENCE), ([, name, ofCmd]) => name ?? ofCmd));
  if (used.size === 0) return NONE;
  const all = [...ASSIGNMENTS.flatMap((pattern) => listMatches(text, pattern, '', 0)), ...listLoops(text)];
  return all.filter(({ name, value }) => used.has(name) && !value.startsWith('[redacted:')).slice(0, MAX_ASSIGNED);
}

const NONE: readonly Assigned[] = [];

/** `known`: the variable, if the pattern finds only values. */
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

/** The text with the variables' values substituted: one text, or one per value if a variable has several. */
function listExpanded(text: string, assigned: readonly Assigned[]): readonly string[] {
  const byName = Map.groupBy(assigned, ({ name }) => name);
  const count = Math.max(0, ...Array.from(byName.values(), (values) => values.length));
  return Array.from({ length: count }, (_, n) =>
    text.replace(REFERENCE, (reference, name?: string, ofCmd?: string) => {
      const values = byName.get(name ?? ofCmd ?? '') ?? [];
      return values[Math.min(n, values.length - 1)]?.value ?? reference;
    }),
  );
}

/** Removes those of the values that are secrets. */
function dropAssigned(text: string, assigned: readonly Assigned[], mark: string): string {
  return assigned
    .toSorted((a, b) => b.at - a.at)
    .reduce((clean, { at, value }) => clean.slice(0, at) + mark + clean.slice(at + value.length), text);
}

/** Does a text contain a known token format? Names like `password=` prove nothing, because patterns contain them. */
export function containsToken(text: string): boolean {
  return [...listSecretTokens(), makeDiscordToken()].some(({ pattern }) => text.search(pattern) !== -1);
}
