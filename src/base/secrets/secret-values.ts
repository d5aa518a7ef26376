/**
 * Decides which redacted values are secret wherever else they appear, and finds values behind misspelt secret names
 * (`--passwrd`). Only values that look like no word, name or version count everywhere, because the password `postgres`
 * must not remove a database's name from every text. Misspelt names matter because calls that fail on them become
 * lessons, and their values are just as secret.
 */

import { SECRET_VALUE } from './name-rules.ts';
import { SENTENCE_WORD, type SecretRule } from './secret-rule.ts';

/**
 * Of what was taken out of a text, the part that is the secret wherever else it stands. Only what looks like no word, name
 * or version: the password `postgres` must not take a database's name out of every text.
 */
const ONE_TIME = 'one-time-password';
/** Found by where they stood. Others are found by their form, in every text. */
const KINDS = new Set('credential password key authorization bearer-token user-password url-credentials'.split(' '));
const PAIRS = new Set(['user-password', 'url-credentials']);
const MIN_CHARS = 8;
const MAX_CHARS = 200;
/** A letter with a digit, or with a sign that no name has. */
const TELLING = /^(?=.*[A-Za-z])(?=.*[\d!#%^&*+?~])[\x21-\x7e]+$/;
const DIGITS = /^\d{6,10}$/;
const ORDINARY: readonly RegExp[] = [
  // Code, variables, addresses and files.
  /[()[\]{}<>;$`\\|"',]|:\/\/|^[/.~@]|^[\w.+-]+@[\w.-]+$|\.(?:[a-z]{1,4}|json|ya?ml|toml)$/i,
  /^[A-Za-z_][\w]*(?:(?:\.|::|->)[A-Za-z_]\w*)+$/,
  // `postgres16`, `my-app-2`, `DB_PASSWORD_2`, `1.2.3`, `localhost:5432`, `2026-01-02T10:00`.
  /^[A-Za-z]+[-_.]?\d{1,2}$/,
  /^(?![0-9a-f-]+$)[a-z]+\d{0,2}(?:[-_][a-z]*\d{0,3})+$/,
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  /^v?\d+(?:[.:-]\d+)+|^[\w.-]+:\d+$/i,
];

export function findTellingValue(kind: string, taken: string): string | undefined {
  if (kind === ONE_TIME) return DIGITS.test(taken) ? taken : undefined;
  if (!KINDS.has(kind)) return undefined;
  const value = toValue(kind, taken);
  if (value.length < MIN_CHARS || value.length > MAX_CHARS || !TELLING.test(value)) return undefined;
  return ORDINARY.some((pattern) => pattern.test(value)) ? undefined : value;
}

/** The secret without its quotes, and without the user before it. */
function toValue(kind: string, taken: string): string {
  const pair = PAIRS.has(kind) ? taken.slice(taken.indexOf(':') + 1) : taken;
  return pair.replace(/^\\*["']+|[\\"',;]+$/g, '');
}

const MIN_DIGITS = 3;
const MIN_LETTERS = 4;
/** Values that are documented defaults, types and names: as a password they hide nothing, elsewhere they mean something. */
const COMMON = new Set(
  'abcd admin administrator apikey bearer changeme client code credential credentials data database default demo django docker dummy example false file guest hello input kind local localhost login mariadb minio mongo mongodb mysql name none null oracle pass passphrase password passwd postgres postgresql process prod production rabbitmq redacted redis root secret secrets server staging string system test testing tests text token tokens true type undefined user username value wordpress'.split(
    ' ',
  ),
);
/** `name=`, `--name `, or a quote: behind them stands a literal. `token: foo` and `token = foo` may be code. */
const LITERAL = /[A-Za-z]=\\*["']?$|^--?[\w-]+[ \t=]+\\*["']?$|["']$/;
/** Code, a variable, a path or an address. */
const NO_LITERAL = /[()[\]{}<>;`\n]|:\/\/|^[/.~@$-]|:$|\.\w{1,5}:\d|^[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+$/;
/** Several words, and no command. */
const PHRASE = /^[\w'!?.-]+(?: [\w'!?.-]+){1,11}$/;
/** Names as code has them. */
const IDENTIFIER = /^[a-z]+(?:_[a-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$/;

/**
 * The part of what was taken out that is a secret in the rest of its own call, too: its comment, its output. There is less
 * to lose in one call than in a session, so short values and plain words count. `before`: what stood before it.
 */
export function findCallValue(kind: string, before: string, taken: string): string | undefined {
  if (kind === ONE_TIME) return taken;
  if (!KINDS.has(kind)) return undefined;
  const value = toValue(kind, taken);
  if (value.length > MAX_CHARS || value.includes('[redacted:') || NO_LITERAL.test(value)) return undefined;
  if (value.includes(' ') && !PHRASE.test(value)) return undefined;
  if (kind === 'credential' && !LITERAL.test(before)) return findTellingValue(kind, taken);
  if (kind === 'credential' && IDENTIFIER.test(value)) return undefined;
  if (/^\d+$/.test(value)) return value.length >= MIN_DIGITS ? value : undefined;
  return value.length >= MIN_LETTERS && !COMMON.has(value.toLowerCase()) ? value : undefined;
}

/**
 * What stands behind an option or a variable whose name was meant to say that it is a secret. Without it no text is
 * searched for options.
 */
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

// Whether the name of an option or a variable says, or was meant to say, that its value is a secret: `--passwrd`. A
// call that fails because of such a name is what lessons are made of, and its value is as secret as behind the right
// one.

/** How many letters may be wrong; short words have too many neighbours. */
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
/** Words of their own. */
const OTHERS = new Set('passed passport paraphrase taken tokens tokenize secrets crossword passwords'.split(' '));
/** What is told then is where it is, or how many. */
const ABOUT =
  /[-_](?:id|ids|file|path|dir|name|stdin|count|limit|ttl|type|env|ref|arn|length|size|policy|helper|store)$/;
const OWNER = /^(?:pg|my|mysql|db|redis|smtp|root|user|admin)(?=\w{4})/;
/** No name of a secret is longer. */
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
  return Math.abs(word.length - known.length) <= wrong && countWrong(word, known) <= wrong;
}

/** Letters to add, drop, change, or swap with their neighbour. */
function countWrong(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const plain = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(isSwap ? Math.min(plain, at(before, j - 2) + 1) : plain);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
