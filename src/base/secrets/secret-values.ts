/**
 * Decides which redacted values are secret wherever else they appear. Only values that look like no word, name or version
 * count everywhere, because the password `postgres` must not remove a database's name from every text.
 */

export const ONE_TIME_PASSWORD = 'one-time-password';
/** Kinds that are found by their place. Others are found by their form, in every text. */
const KINDS = new Set('credential password key authorization bearer-token user-password url-credentials'.split(' '));
const PAIRS = new Set(['user-password', 'url-credentials']);
const MIN_CHARS = 8;
const MAX_CHARS = 200;
/** A letter with a digit, or with a character that no name contains. */
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
  if (kind === ONE_TIME_PASSWORD) return DIGITS.test(taken) ? taken : undefined;
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
/** Documented defaults, types and names: as passwords they hide nothing, and elsewhere they have a meaning. */
const COMMON = new Set(
  'abcd admin administrator apikey bearer changeme client code credential credentials data database default demo django docker dummy example false file guest hello input kind local localhost login mariadb minio mongo mongodb mysql name none null oracle pass passphrase password passwd postgres postgresql process prod production rabbitmq redacted redis root secret secrets server staging string system test testing tests text token tokens true type undefined user username value wordpress'.split(
    ' ',
  ),
);
/** A literal follows `name=`, `--name `, `name `, `<<<` or a quote. `token: foo` and `token = foo` may be code. */
const LITERAL = /[A-Za-z]=\\*["']?$|^-{0,2}[\w-]+[ \t=]+\\*["']?$|<<<[ \t]*$|["']$/;
/** Code, a variable, a path or an address. */
const NO_LITERAL = /[()[\]{}<>;`\n]|:\/\/|^[/.~@$-]|:$|\.\w{1,5}:\d/;
/** A field or a method in code. A program's argument is never one. */
const FIELD = /^[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+$/;
/** Several words that are not a command. */
const PHRASE = /^[\w'!?.-]+(?: [\w'!?.-]+){1,11}$/;
/** Names in the style of code. */
const IDENTIFIER = /^[a-z]+(?:_[a-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$/;

/**
 * The part of a removed text that is also secret in the rest of its own call: in its comment and its output. One call
 * has less to lose than a session, so short values and plain words count. `before`: the name and sign before it.
 * `inComment`: people write passwords into comments as `pw: 4711`, which would be code elsewhere.
 */
export function findCallValue(kind: string, before: string, taken: string, inComment: boolean): string | undefined {
  if (kind === ONE_TIME_PASSWORD) return taken;
  if (!KINDS.has(kind)) return undefined;
  const value = toValue(kind, taken);
  if (value.length > MAX_CHARS || value.includes('[redacted:') || NO_LITERAL.test(value)) return undefined;
  if (value.includes(' ') && !PHRASE.test(value)) return undefined;
  if (kind === 'credential' && !inComment && !LITERAL.test(before)) return findTellingValue(kind, taken);
  if (kind === 'credential' && (FIELD.test(value) || IDENTIFIER.test(value))) return undefined;
  if (/^\d+$/.test(value)) return value.length >= MIN_DIGITS ? value : undefined;
  return value.length >= MIN_LETTERS && !COMMON.has(value.toLowerCase()) ? value : undefined;
}

/** Between the signs that join names, versions and paths. */
const LONG_PART = /[^\s\-_.:@/=,"'`()[\]{}<>;|\\…]{12,}/g;
const MIN_PLAIN_CHARS = 16;
const SPOKEN = /(?=[A-Za-z]*[aeiouyAEIOUY])(?:[A-Z]?[a-z]{3,}|[A-Z]{4,})/g;

/**
 * Hides the parts of a quotation that look random. Such a value may be a secret of a form that no rule knows, and a
 * reader learns nothing from it.
 */
export function hideRandom(text: string): string {
  return text.replace(LONG_PART, (part) => (isRandom(part) ? '…' : part));
}

/** Letters and digits, and another class of characters or a great length, and for the most part no words. */
function isRandom(part: string): boolean {
  if (!/\d/.test(part) || !/[A-Za-z]/.test(part)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /[^A-Za-z0-9]/].filter((sign) => sign.test(part)).length;
  if (part.length < MIN_PLAIN_CHARS && classes < 2) return false;
  const spoken = part.match(SPOKEN)?.join('').length ?? 0;
  return spoken * 2 < part.length;
}
