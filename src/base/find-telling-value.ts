/**
 * Of what was taken out of a text, the part that is the secret wherever else it stands. Only what looks like no word, name
 * or version: the password `postgres` must not take a database's name out of every text.
 */

export const ONE_TIME = 'one-time-password';
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
  const pair = PAIRS.has(kind) ? taken.slice(taken.indexOf(':') + 1) : taken;
  const value = pair.replace(/^["']+|["',;]+$/g, '');
  if (value.length < MIN_CHARS || value.length > MAX_CHARS || !TELLING.test(value)) return undefined;
  return ORDINARY.some((pattern) => pattern.test(value)) ? undefined : value;
}
