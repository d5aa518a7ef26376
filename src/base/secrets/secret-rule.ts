/** One form of secret, and the pieces that patterns of secrets are made of. */

export interface SecretRule {
  readonly kind: string;
  /** One of them stands in every match (in small letters where case does not matter): most texts need no search. */
  readonly hints: readonly string[];
  /** What it matches is replaced, but for its groups, which are kept in front. */
  readonly pattern: RegExp;
  /** The rule is for texts that this matches. */
  readonly when?: RegExp;
}

/** The beginning of a word, also behind the `\n` of an escaped text. */
export const WORD_START = '(?:\\b|(?<=\\\\[nrt]))';

/** Where a value is over. */
const END = '(?![^\\s"\'`,;)}\\]\\\\])';

/** Already redacted, a place holder, or a word that is no secret. */
export const NO_PLAIN_SECRET = [
  '\\[redacted:',
  '\\$\\{{1,2}[A-Za-z_. ][^{}\\n]{0,80}\\}',
  '%[sdvq](?![A-Za-z0-9])',
  '\\{\\{',
  '<[A-Za-z][\\w -]{0,40}>',
  `(?:${anyCase('string|str|number|boolean|bool|null|none|nil|undefined|true|false|any|unknown|yes|no')})${END}`,
].join('|');

/**
 * Also a reference to a variable, where one is followed: not in single quotes, and only what is written like one. A
 * password may begin with a dollar.
 */
export const NO_SECRET = [
  NO_PLAIN_SECRET,
  '\\$[({]',
  '\\$[A-Z_][A-Z0-9_]*(?![A-Za-z0-9_])',
  `\\$(?:[a-z_]{1,40}|[a-z]{1,20}(?:[A-Z][a-z]{1,20}){1,4}|\\d)${END}`,
].join('|');

/** With a word behind it, it continues a sentence: `the flags --password and --token`, `run bw unlock to go on`. */
export const SENTENCE_WORD = `(?:${anyCase('an?|and|argument|as|are|at|be|before|but|by|can|cannot|does|expects|flag|for|from|has|if|in|instead|is|may|must|needs|nor|not|of|on|option|or|parameter|requires|should|takes|than|that|the|then|this|to|using|via|was|when|which|will|with|without')})[ \\t]{1,4}(?=[A-Za-z-])`;

/** A pattern's letters in either case: next to it stands one whose case matters. Classes and escapes stay as they are. */
export function anyCase(source: string): string {
  return source.replace(/\\.|\[[^\]]*\]|[a-z]/g, (part) =>
    part.length === 1 ? `[${part}${part.toUpperCase()}]` : part,
  );
}
