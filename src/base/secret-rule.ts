/** One form of secret, and the pieces that patterns of secrets are made of. */

export interface SecretRule {
  readonly kind: string;
  /** One of them stands in every match (in small letters where case does not matter): most texts need no search. */
  readonly hints: readonly string[];
  /** What it matches is replaced, but for its groups, which are kept in front. */
  readonly pattern: RegExp;
}

/** `\n` of an escaped text, a colour, `%3D`, `\u003d`: their last character is a letter, but no part of what follows. */
const ESCAPE = '\\\\[nrt]|\\[[0-9;]{0,12}m|%[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}';

/** Not behind a letter or digit: inside a longer word a prefix means nothing. */
export const EDGE = `(?:(?<![A-Za-z0-9])|(?<=${ESCAPE}))`;

/** Already redacted, a reference to a variable, a place holder, or a word that is no secret. */
export const NO_SECRET = [
  '\\[redacted:',
  '\\$[({]',
  '\\$[A-Z_][A-Z0-9_]*(?![A-Za-z0-9_])',
  '%[sdvq](?![A-Za-z0-9])',
  '<[a-z][\\w -]{0,40}>',
  '(?:string|str|number|boolean|bool|null|none|nil|undefined|true|false|any|unknown)(?![^\\s"\'`,;)}\\]\\\\])',
].join('|');
