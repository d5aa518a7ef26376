/** What stands behind an option or a variable whose name was meant to say that it is a secret. */
import { ONE_TIME } from './find-telling-value.ts';
import { isNearSecretName } from './is-near-secret-name.ts';
import { SECRET_VALUE } from './secret-names.ts';
import { SENTENCE_WORD, type SecretRule } from './secret-rule.ts';

/** Without it no text is searched for options. */
export const OPTION_HINT = '--';
const OPTION = /(?<![\w-])--[A-Za-z][\w-]{1,47}(?=[ \t=])/g;
const VARIABLE = /(?<![\w-])[A-Z][A-Z0-9_]{4,47}(?==\S)/g;
/** Variables are set in commands; in a long text any name may stand before an equals sign. */
const COMMAND_CHARS = 4_000;

const NONE: readonly SecretRule[] = [];

/** The rules for the names in this text: nearly always none. */
export function findNearSecrets(text: string, hasOption: boolean): readonly SecretRule[] {
  let near: Set<string> | undefined;
  if (hasOption) near = findNear(text, OPTION, near);
  if (text.length <= COMMAND_CHARS && text.includes('=')) near = findNear(text, VARIABLE, near);
  return near === undefined ? NONE : Array.from(near, getRule);
}

/** No list on the way: every text comes through here. */
function findNear(text: string, names: RegExp, known: Set<string> | undefined): Set<string> | undefined {
  let near = known;
  names.lastIndex = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    if (isNear(match[0])) near = (near ?? new Set()).add(match[0]);
  }
  return near;
}

const judged = new Map<string, boolean>();
const MAX_JUDGED = 5_000;

function isNear(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  if (judged.size >= MAX_JUDGED) judged.clear();
  const near = isNearSecretName(name.replace(/^--/, ''));
  judged.set(name, near);
  return near;
}

/** The same few names stand in many texts, and a pattern is slow until it has been used. */
const rules = new Map<string, SecretRule>();
const MAX_RULES = 200;

function getRule(name: string): SecretRule {
  const known = rules.get(name);
  if (known !== undefined) return known;
  if (rules.size >= MAX_RULES) rules.clear();
  const rule = toRule(name);
  rules.set(name, rule);
  return rule;
}

/** A name holds nothing that means something in a pattern. */
function toRule(name: string): SecretRule {
  const between = name.startsWith('--')
    ? `(?:[ \\t]{1,4}(?!-|id=|\\(|\\||&|;|>|<|[A-Z]{3,10}(?![\\w!@#$%-])|${SENTENCE_WORD})|=)`
    : '=';
  return {
    kind: /otp$/i.test(name) ? ONE_TIME : 'credential',
    hints: [],
    pattern: new RegExp(`((?<![\\w-])${name}${between})(?:${SECRET_VALUE})`, 'g'),
  };
}
