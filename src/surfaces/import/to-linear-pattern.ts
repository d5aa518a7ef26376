/**
 * Somebody else's regular expression as ones that we may run while an agent waits. A negative look-ahead becomes an
 * `unless`: that may silence a little more than it did, never less. What cannot be said in linear time is named.
 */
import { toPlainLine } from '../../distill/guard/to-plain-line.ts';
import { isLinearRegex } from '../../keep/is-linear-regex.ts';
import { type Piece, splitPattern } from './split-pattern.ts';

export interface LinearPattern {
  /** Any of them; none where the pattern only says what must not be there. */
  readonly match: readonly string[];
  readonly unless: readonly string[];
}

export interface Unusable {
  readonly reason: string;
}

const MAX_CHARS = 1_000;
/** Groups within groups: beyond that nobody wrote it, and whoever descends runs out of stack. */
const MAX_DEPTH = 20;
/** Some engines take some of them; whoever runs the pattern may have another one. */
const LOOK = /\(\?<?[=!]/;
/** What holds for every text. */
const ANYTHING = /^\^?(?:\.[*+]\??)?\$?$/;

export function toLinearPattern(given: string): LinearPattern | Unusable {
  const source = toSource(given);
  const fault = findFault(source);
  if (fault !== undefined) return { reason: fault };
  if (!LOOK.test(source) && isLinearRegex(source))
    return ANYTHING.test(source) ? { match: [], unless: [] } : { match: [source], unless: [] };
  const branches = splitPattern(source);
  if (branches.flat().some(({ kind }) => kind === 'look')) return { reason: NOT_LINEAR };
  const match = branches.map(toMatch).filter((one) => !ANYTHING.test(one));
  const unless = [...new Set(branches.flatMap(listUnless))];
  const isLinear = [...match, ...unless].every((one) => one !== '' && isLinearRegex(one));
  return isLinear ? { match, unless } : { reason: NOT_LINEAR };
}

const NOT_LINEAR = 'it cannot be said as a linear-time regular expression (look-around, backreference or large count)';

function findFault(source: string): string | undefined {
  if (source === '') return 'it is empty';
  if (source.length > MAX_CHARS) return `it is longer than ${MAX_CHARS} characters`;
  if (toPlainLine(source) !== source) return 'it has characters that cannot be seen';
  if (/\(/.test(source) && countDepth(source) > MAX_DEPTH) return 'its groups are nested too deeply';
  try {
    new RegExp(source);
    return undefined;
  } catch {
    return 'it is no regular expression';
  }
}

function countDepth(source: string): number {
  let [depth, most] = [0, 0];
  for (const char of source) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    most = Math.max(most, depth);
  }
  return most;
}

function toMatch(pieces: readonly Piece[]): string {
  return pieces.map(({ kind, source }) => (kind === 'text' ? source : '')).join('');
}

function listUnless(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap(({ kind, source }, at) =>
    kind === 'not-ahead' ? [toUnless(toMatch(pieces.slice(0, at)), source)] : [],
  );
}

/** `^(?!.*--foo)git push` speaks unless there is `--foo`; `git push(?!.*--foo)` unless that stands behind it. */
function toUnless(before: string, source: string): string {
  const isFirst = before === '' || before === '^';
  const bare = source.replace(/^\.\*\??/, '');
  if (isFirst && bare !== source) return bare;
  return `${before}${splitPattern(source).length > 1 ? `(?:${source})` : source}`;
}

/** `/x/i` and `(?i)x` say how they are to be read. */
function toSource(given: string): string {
  const [, inner, flags] = /^\/(.+)\/([dgimsuvy]*)$/.exec(given) ?? [];
  const source = inner !== undefined && flags !== undefined && flags !== '' ? inner : given;
  const bare = source.replace(/^\(\?i\)/, '');
  const ignoresCase = bare !== source || (source !== given && flags?.includes('i') === true);
  return ignoresCase ? toAnyCase(bare) : bare;
}

/** Letters in both cases, outside of escapes, classes and the heads of groups. */
function toAnyCase(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]?|\(\?(?:<?[=!]|:)|[a-z]/gi, (token) => {
    if (/^[a-z]$/i.test(token)) return `[${token.toLowerCase()}${token.toUpperCase()}]`;
    if (!token.startsWith('[') || !token.endsWith(']') || token.includes('\\')) return token;
    const [, not = '', inner = ''] = /^\[(\^?)(.*)\]$/.exec(token) ?? [];
    return `[${not}${[...new Set([inner, inner.toLowerCase(), inner.toUpperCase()])].join('')}]`;
  });
}
