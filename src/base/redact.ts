/**
 * Secrets out of a text, before it is shortened or touches a disk. The rules run in order: known forms of tokens
 * first, then whatever stands behind a name that says it is a secret. Every pattern is linear in practice: it starts
 * at a literal or behind a boundary, and its repetitions cannot overlap. Redacting twice changes nothing.
 */

import { findCallValue, findTellingValue } from './find-telling-value.ts';
import { type HintSearch, makeHintSearch } from './make-hint-search.ts';
import { findNearSecrets, OPTION_HINT } from './near-secrets.ts';
import { listSecretInputs } from './secret-inputs.ts';
import { listSecretNames } from './secret-names.ts';
import { listSecretPlaces } from './secret-places.ts';
import { listSecretPrograms } from './secret-programs.ts';
import type { SecretRule } from './secret-rule.ts';
import { listSecretTexts } from './secret-texts.ts';
import { listSecretTokens, makeDiscordToken } from './secret-tokens.ts';
import { dropAssigned, listAssigned, listExpanded } from './secret-variables.ts';

export function redact(text: string): string {
  ours ??= makeRedactor([]);
  return ours(text).text;
}

export interface Redacted {
  readonly text: string;
  /** Words that stand in it: those our rules need and those that were asked for. There may be more than do. */
  readonly hints: ReadonlySet<string>;
  /** What was taken out of it because of where it stood: the same value is as secret where nothing tells it. */
  readonly values: readonly string[];
  /** The same for the call that the text is of: also short values, and plain words. */
  readonly callValues: readonly string[];
}

/** For who goes on searching: `words`, in small letters, are looked for in the same pass. */
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
    // A text without a secret keeps its lines.
    const kept = whole === joined ? text : whole;
    return { text: kept, hints, values: toList(values.telling), callValues: toList(values.ofCall) };
  };
}

/**
 * A shell takes a line that ends with its continuation mark and the next line for one: `\` of POSIX shells (also in an
 * escaped text), the backtick of PowerShell, `^` of cmd. A secret stands behind the mark as it stands behind a blank.
 * The last two need a word and a blank before them, because code ends with a backtick and compilers point with `^`.
 */
const CONTINUED = /([ \t]{0,80})(?:\\\r?\n|\\{3,31}n(?=[ \t])|(?<=[^\s^~`][ \t]{1,80})[`^]\r?\n)([ \t]{0,80})/g;

function joinLines(text: string): string {
  if (!text.includes('\\') && !text.includes('`\n') && !text.includes('^\n') && !/[`^]\r\n/.test(text)) return text;
  return text.replace(CONTINUED, (_, before: string, behind: string) => (before + behind === '' ? '' : ' '));
}

/** Built when a text is first redacted, not when the hook loads. */
let ours: ((text: string) => Redacted) | undefined;

/** What replaces one secret can lay bare the edge of the next; two passes are usual, a text without secrets needs one. */
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

/** Most texts hold no word that any rule needs. A word that only a replacement brings is seen in the next pass. */
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

/** Removes the value of a variable if the rules take it for a secret where the variable is used. */
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

/** By the words that are there: they are few, and the rules a hundred. In the order of the list. */
function markHinted(hints: ReadonlySet<string>, { byHint, isHinted }: Rules): void {
  isHinted.fill(0);
  for (const hint of hints) for (const rank of byHint.get(hint) ?? NO_RANKS) isHinted[rank] = 1;
}

function replace(text: string, rule: SecretRule, values: Values): string {
  if (rule.when?.test(text) === false) return text;
  return text.replace(rule.pattern, (match, ...groups) => {
    const kept = toKept(groups);
    const taken = match.slice(kept.length);
    const value = findTellingValue(rule.kind, taken);
    if (value !== undefined) values.telling.add(value);
    const ofCall = findCallValue(rule.kind, kept, taken);
    if (ofCall !== undefined) values.ofCall.add(ofCall);
    return `${kept}[redacted:${rule.kind}]`;
  });
}

/** The groups end where the match's offset begins. */
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
  /** The places of the rules that need a word. */
  readonly byHint: ReadonlyMap<string, readonly number[]>;
  /** Written anew for every text. */
  readonly isHinted: Uint8Array;
  readonly discord: SecretRule;
}

const NO_RANKS: readonly number[] = [];
/** What a token has at least, with its two dots. */
const DISCORD_CHARS = 59;

/** It has no word of its own, but two dots at a fixed distance. */
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
