/**
 * Finds values behind options and variables whose names say that the value is a secret, also when the name is misspelt
 * (`--passwrd`). Misspelt names matter because calls that fail on them become lessons, and their values are just as secret.
 */

import { remember } from '../bounded-memory.ts';
import { toEditDistance } from '../text/edit-distance.ts';
import { SECRET_VALUE } from './name-rules.ts';
import { SENTENCE_WORD, type SecretRule } from './secret-rule.ts';
import { ONE_TIME_PASSWORD } from './secret-values.ts';

/** A text without it is not searched for options. */
export const OPTION_HINT = '--';
const OPTION = /(?<![\w-])--[A-Za-z][\w-]{1,47}(?=[ \t=])/g;
const VARIABLE = /(?<![\w-])[A-Z][A-Z0-9_]{4,47}(?==\S)/g;
/** Commands set variables; in a longer text any name may precede an equals sign. */
const COMMAND_CHARS = 4_000;

const NONE: readonly SecretRule[] = [];

/** The rules for the names in this text; nearly always none. */
export function findNearSecrets(text: string, hasOption: boolean): readonly SecretRule[] {
  let near: Set<string> | undefined;
  if (hasOption) near = findNear(text, OPTION, near);
  if (text.length <= COMMAND_CHARS && text.includes('=')) near = findNear(text, VARIABLE, near);
  return near === undefined ? NONE : Array.from(near, getRule);
}

/** No list is built, because every text passes through here. */
function findNear(text: string, names: RegExp, known: Set<string> | undefined): Set<string> | undefined {
  let near = known;
  names.lastIndex = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    if (isNear(match[0])) near = (near ?? new Set()).add(match[0]);
  }
  return near;
}

const MAX_JUDGED = 5_000;
const isNear = remember((name) => isNearSecretName(name.replace(/^--/, '')), MAX_JUDGED);

/** The same few names occur in many texts, and a pattern is slow until it has been used. */
const MAX_RULES = 200;
const getRule = remember(toRule, MAX_RULES);

/** A name contains no characters with a meaning in a pattern. */
function toRule(name: string): SecretRule {
  const between = name.startsWith('--')
    ? `(?:[ \\t]{1,4}(?!-|id=|\\(|\\||&|;|>|<|(?:[A-Z]{3,10}|[A-Z]{2,12}(?:_[A-Z]{2,12}){1,3})(?![\\w!@#$%-])|${SENTENCE_WORD})|=)`
    : '=';
  return {
    kind: /otp$/i.test(name) ? ONE_TIME_PASSWORD : 'credential',
    hints: [],
    pattern: new RegExp(`((?<![\\w-])${name}${between})(?:${SECRET_VALUE})`, 'g'),
  };
}

/** Names of secrets, with the number of letters that may be wrong; short words have too many neighbours. */
const NAMES: readonly (readonly [name: string, wrong: number])[] = [
  ['password', 2],
  ['passwd', 1],
  ['passphrase', 2],
  ['secret', 1],
  ['token', 1],
  ['apikey', 1],
  ['accesskey', 2],
  ['secretkey', 2],
  ['authtoken', 1],
  ['accesstoken', 2],
  ['credential', 2],
  ['credentials', 2],
  ['pw', 0],
  ['pswd', 0],
  ['otp', 0],
  ['totp', 0],
];
/** Real words that are close to these names. */
const OTHERS = new Set('passed passport paraphrase taken tokens tokenize secrets crossword passwords'.split(' '));
/** Suffixes of names whose value is a location or a number. */
const ABOUT =
  /[-_](?:id|ids|file|path|dir|name|stdin|count|limit|ttl|type|env|ref|arn|length|size|policy|helper|store)$/;
const OWNER = /^(?:pg|my|mysql|db|redis|smtp|root|user|admin)(?=\w{4})/;
/** Longer than any name of a secret. */
const MAX_NAME_CHARS = 48;

export function isNearSecretName(name: string): boolean {
  const low = name.toLowerCase();
  if (low.length > MAX_NAME_CHARS || ABOUT.test(low)) return false;
  const parts = low.split(/[-_.]/);
  const ends = parts.map((_, i) => parts.slice(i).join(''));
  const words = [...ends, ...ends.map((end) => end.replace(OWNER, ''))];
  return words.some((word) => !OTHERS.has(word) && NAMES.some(([known, wrong]) => isMisspelt(word, known, wrong)));
}

function isMisspelt(word: string, known: string, wrong: number): boolean {
  if (word === known) return true;
  return Math.abs(word.length - known.length) <= wrong && toEditDistance(word, known) <= wrong;
}
