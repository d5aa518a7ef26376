/** A secret rule: the pattern of one form of secret; and the pieces that such patterns are made of. */

export interface SecretRule {
  readonly kind: string;
  /** Every match contains one of them (in lower case if case does not matter), so most texts need no search. */
  readonly hints: readonly string[];
  /** The match is replaced, except for its groups, which are kept in front. */
  readonly pattern: RegExp;
  /** Applies the rule only to texts that match this. */
  readonly when?: RegExp;
}

/** `source`: of the pattern, to which `flags` belong. */
export function makeRule(kind: string, hints: readonly string[], source: string, flags = 'g'): SecretRule {
  return { kind, hints, pattern: new RegExp(source, flags) };
}

/** The beginning of a word, also after the `\n` of an escaped text. */
export const WORD_START = '(?:\\b|(?<=\\\\[nrt]))';

/** The end of a value. */
const END = '(?![^\\s"\'`,;)}\\]\\\\])';

/** Already redacted, a placeholder, or a word that is not a secret. */
export const NO_PLAIN_SECRET = [
  '\\[redacted:',
  '\\$\\{{1,2}[A-Za-z_. ][^{}\\n]{0,80}\\}',
  // A format, or several with signs between them, and nothing else: a password may begin like one.
  `%[sdvq](?:[^A-Za-z0-9%\\s]{0,3}%[sdvq]){0,8}${END}`,
  '\\{\\{',
  '<[A-Za-z][\\w -]{0,40}>',
  `(?:${anyCase('string|str|number|boolean|bool|null|none|nil|undefined|true|false|any|unknown|yes|no')})${END}`,
].join('|');

/**
 * Also a reference to a variable that the shell substitutes: not in single quotes, and only in the form of a variable,
 * because a password may begin with a dollar.
 */
export const NO_SECRET = [
  NO_PLAIN_SECRET,
  '\\$[({]',
  '\\$[A-Z_][A-Z0-9_]*(?![A-Za-z0-9_])',
  `\\$(?:[a-z_]{1,40}|[a-z]{1,20}(?:[A-Z][a-z]{1,20}){1,4}|\\d)${END}`,
].join('|');

/** A value in double quotes (also escaped ones), in single quotes, or bare. */
export const WORD_VALUE = [
  `(?:(\\\\{0,31}")(?!${NO_SECRET})[^"\\\\\\n]+`,
  `(')(?!${NO_PLAIN_SECRET})[^'\\n]+`,
  `(?!["'\\\\-]|${NO_SECRET})[^\\s"'\\\\]+)`,
].join('|');

/** Followed by a word, it continues a sentence: `the flags --password and --token`, `run bw unlock to go on`. */
export const SENTENCE_WORD = `(?:${anyCase('an?|and|argument|as|are|at|be|before|but|by|can|cannot|does|expects|flag|for|from|has|if|in|instead|is|may|must|needs|nor|not|of|on|option|or|parameter|requires|should|takes|than|that|the|then|this|to|using|via|was|when|which|will|with|without')})[ \\t]{1,4}(?=[A-Za-z-])`;

/**
 * Matches the letters of a pattern in either case, for use beside a pattern whose case matters. Classes and escapes
 * stay as they are.
 */
export function anyCase(source: string): string {
  return source.replace(/\\.|\[[^\]]*\]|[a-z]/g, (part) =>
    part.length === 1 ? `[${part}${part.toUpperCase()}]` : part,
  );
}
