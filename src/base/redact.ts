/**
 * Secrets out of a text, before it is shortened or touches a disk. The rules run in order: known forms of tokens
 * first, then whatever stands behind a name that says it is a secret. Every pattern is linear in practice: it starts
 * at a literal or behind a boundary, and its repetitions cannot overlap. Redacting twice changes nothing.
 */
import { type HintSearch, makeHintSearch } from './make-hint-search.ts';
import { listSecretNames } from './secret-names.ts';
import { listSecretPlaces } from './secret-places.ts';
import type { SecretRule } from './secret-rule.ts';
import { listSecretTokens, makeDiscordToken } from './secret-tokens.ts';

export function redact(text: string): string {
  ours ??= makeRedactor([]);
  return ours(text).text;
}

export interface Redacted {
  readonly text: string;
  /** Words that stand in it: those our rules need and those that were asked for. There may be more than do. */
  readonly hints: ReadonlySet<string>;
}

/** For who goes on searching: `words`, in small letters, are looked for in the same pass. */
export function makeRedactor(words: readonly string[]): (text: string) => Redacted {
  const rules = listRules(words);
  return (text) => {
    let redacted = { text, hints: rules.search(text) };
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const next = redactOnce(redacted, rules);
      if (next === redacted.text) break;
      redacted = { text: next, hints: rules.search(next) };
    }
    return redacted;
  };
}

/** Built when a text is first redacted, not when the hook loads. */
let ours: ((text: string) => Redacted) | undefined;

/** What replaces one secret can lay bare the edge of the next; two passes are usual, a text without secrets needs one. */
const MAX_PASSES = 16;

/** Most texts hold no word that any rule needs. A word that only a replacement brings is seen in the next pass. */
function redactOnce({ text, hints }: Redacted, { hinted, discord }: Rules): string {
  let redacted = text;
  if (hints.size > 0)
    for (const rule of hinted) if (rule.hints.some((hint) => hints.has(hint))) redacted = replace(redacted, rule);
  return mayHoldDiscord(redacted) ? replace(redacted, discord) : redacted;
}

function replace(text: string, rule: SecretRule): string {
  return text.replace(rule.pattern, (_match, ...groups) => toMarker(rule, groups));
}

/** The groups end where the match's offset begins. */
function toMarker(rule: SecretRule, groups: readonly unknown[]): string {
  const end = groups.findIndex((group) => typeof group === 'number');
  const kept = groups.slice(0, end).filter((group) => typeof group === 'string');
  return `${kept.join('')}[redacted:${rule.kind}]`;
}

interface Rules {
  readonly search: HintSearch;
  readonly hinted: readonly SecretRule[];
  readonly discord: SecretRule;
}

/** It has no word of its own, but two dots at a fixed distance. */
function mayHoldDiscord(text: string): boolean {
  for (let at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) {
    if (text.charAt(at + 7) === '.') return true;
  }
  return false;
}

function listRules(words: readonly string[]): Rules {
  const [tokens, others] = [listSecretTokens(), [...listSecretPlaces(), ...listSecretNames()]];
  const search = makeHintSearch({
    exact: tokens.flatMap((rule) => rule.hints),
    anyCase: [...others.flatMap((rule) => rule.hints), ...words],
  });
  return { search, hinted: [...tokens, ...others], discord: makeDiscordToken() };
}
