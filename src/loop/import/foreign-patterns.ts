/**
 * Converts regular expressions of imported lessons into linear-time patterns and path globs, which a hook may run while
 * an agent waits. A negative look-ahead becomes an `unless` pattern, which may silence the lesson slightly more often
 * than the original, never less often. A pattern without a linear-time form is rejected with the reason.
 */

import { toPlainLine } from '../../distill/gate/outside-text/to-plain-line.ts';
import { isLinearRegex } from '../../keep/schemas/linear-regex.ts';

interface LinearPattern {
  /** Alternatives; empty if the pattern only says what must not match. */
  readonly match: readonly string[];
  readonly unless: readonly string[];
}

interface Unusable {
  readonly reason: string;
}

const MAX_CHARS = 1_000;
/** Maximum nesting of groups. Deeper patterns are not written by people and would overflow the stack. */
const MAX_DEPTH = 20;
/** Look-arounds, which not every engine supports. */
const LOOK = /\(\?<?[=!]/;
/** Patterns that match every text. */
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

/** `^(?!.*--foo)git push` fires unless `--foo` appears; `git push(?!.*--foo)` unless it appears behind `git push`. */
function toUnless(before: string, source: string): string {
  const isFirst = before === '' || before === '^';
  const bare = source.replace(/^\.\*\??/, '');
  if (isFirst && bare !== source) return bare;
  return `${before}${splitPattern(source).length > 1 ? `(?:${source})` : source}`;
}

/** Resolves the flags of `/x/i` and `(?i)x`. */
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

const TOKEN =
  /\.\*\??|\.\+\??|\[\^\\?\/\][*+]\??|\\[wd][*+]\??|\[[^\]]*\]|\((?:\?:)?[^()]*\)\??|\\?.\?|\\[\s\S]|[\s\S]/g;
const LITERAL = /^[\w @%=:,~/-]$/;
const GLOB_SIGNS = /[*?[\]{}\\]/;

/**
 * Converts a regular expression on paths into globs with the same meaning, one per alternative. Undefined if an
 * alternative has no such glob. Look-aheads are removed before.
 */
export function toPathGlobs(source: string): readonly string[] | undefined {
  const globs = splitPattern(source).map((pieces) => toPathGlob(pieces.map((piece) => piece.source).join('')));
  return globs.includes(undefined) ? undefined : globs.flatMap((glob) => glob ?? []);
}

/** A glob without a leading `/` matches at any depth. */
function toPathGlob(given: string): string | undefined {
  // `(^|/)` is the usual way to begin a file name.
  const source = given.replace(/^\((?:\?:)?\^\|\\?\/\)/, '^');
  const isBegin = source.startsWith('^');
  const isEnd = /(?:^|[^\\])(?:\\\\)*\$$/.test(source);
  const inner = source.slice(isBegin ? 1 : 0, isEnd ? -1 : undefined);
  const glob = toGlob(inner);
  if (glob === undefined || glob === '' || /^\**$/.test(glob)) return undefined;
  const begin = isBegin || glob.startsWith('*') ? '' : '**';
  return `${begin}${glob}${isEnd || glob.endsWith('**') ? '' : '**'}`;
}

function toGlob(source: string): string | undefined {
  let glob = '';
  for (const [token] of source.matchAll(TOKEN)) {
    const part = toPart(token);
    if (part === undefined) return undefined;
    glob += part;
  }
  return glob;
}

function toPart(token: string): string | undefined {
  if (/^\.[*+]/.test(token)) return '**';
  if (token.startsWith('[^') && /[*+]\??$/.test(token)) return '*';
  if (/^\\[wd][*+]/.test(token)) return '*';
  if (token.length > 1 && token.startsWith('(')) return toOptions(token);
  if (token.length > 1 && token.endsWith('?') && !token.startsWith('[')) return toOptional(token.slice(0, -1));
  if (token.startsWith('[') && token.length > 2) return /[\\^]/.test(token) ? undefined : token;
  if (token === '.') return '?';
  if (token === '\\d') return '[0-9]';
  if (token === '\\/') return '/';
  if (token.startsWith('\\')) return toLiteral(token.slice(1));
  return LITERAL.test(token) ? token : undefined;
}

/** The literal character of an escape; undefined for classes such as `\d`. */
function toLiteral(sign: string): string | undefined {
  return sign === '' || /\w/.test(sign) || GLOB_SIGNS.test(sign) ? undefined : sign;
}

function toOptional(token: string): string | undefined {
  const one = toPart(token);
  return one === undefined || /[,{}]/.test(one) ? undefined : `{${one},}`;
}

function toOptions(token: string): string | undefined {
  const isOptional = token.endsWith('?');
  const inner = token.replace(/^\((?:\?:)?/, '').replace(/\)\??$/, '');
  if (inner.startsWith('?')) return undefined;
  const options = inner.split('|').map(toGlob);
  if (options.some((one) => one === undefined || /[,{}]/.test(one))) return undefined;
  return `{${[...options, ...(isOptional ? [''] : [])].join(',')}}`;
}

/** A piece of a regular expression, enough structure to remove look-arounds. */
interface Piece {
  readonly kind: 'text' | 'not-ahead' | 'look';
  /** The content of a look-ahead, otherwise the source itself. */
  readonly source: string;
}

/** The alternatives of a pattern, each as its pieces. */
function splitPattern(source: string): readonly (readonly Piece[])[] {
  const branches: Piece[][] = [[]];
  let text = '';
  const add = (piece?: Piece): void => {
    const branch = branches.at(-1);
    if (text !== '') branch?.push({ kind: 'text', source: text });
    if (piece !== undefined) branch?.push(piece);
    text = '';
  };
  for (let at = 0; at < source.length; ) {
    const end = findEnd(source, at);
    const token = source.slice(at, end);
    at = end;
    if (token === '|') {
      add();
      branches.push([]);
    } else if (token.startsWith('(?!')) add({ kind: 'not-ahead', source: token.slice(3, -1) });
    else if (/^\(\?(?:=|<[=!])/.test(token)) add({ kind: 'look', source: token });
    else text += token;
  }
  add();
  return branches;
}

/** The index after the group, class, escape or character that begins here. */
function findEnd(source: string, at: number): number {
  if (source[at] === '\\') return at + 2;
  if (source[at] === '[') return findClassEnd(source, at);
  if (source[at] !== '(') return at + 1;
  let end = at + 1;
  while (end < source.length && source[end] !== ')') end = findEnd(source, end);
  return end + 1;
}

function findClassEnd(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end + 1;
}
