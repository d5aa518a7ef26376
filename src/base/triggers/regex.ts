/**
 * Runs a lesson's regular expression. Patterns are accepted only if V8's linear engine compiles them. On short texts
 * they run on the ordinary engine, which is 40 times faster, with V8's fallback to the linear engine on excessive
 * backtracking. On long texts, patterns with unlimited repetition run on the linear engine, because the ordinary one
 * can be quadratic without enough backtracking to fall back. If the linear engine cannot be switched on, a regex never
 * matches: a silent lesson is safe, a stuck hook is not.
 */

import { MAX_TEXT_CHARS, toBounded } from '../model/manifest.ts';

/** On texts up to this length the worst pattern takes the ordinary engine a few milliseconds; on longer ones, many. */
const SHORT_CHARS = 256;
/** A pattern without these has one way to match at each character, so its work is bounded. */
const CHOICE = /[*+?|]|\{\d*,/;
const REPEATS_WITHOUT_END = /[*+]|\{\d*,\}/;
/**
 * Branches that the linear engine follows in parallel; each costs time at every character. A counted repetition counts
 * as that many.
 */
const BRANCH = /(?<!\()[*+?|]|\{(?:\d+,)?(\d+)/g;
/** The linear engine follows this many branches over 64 KiB in about 10 ms; with more, less text is searched. */
const FREE_BRANCHES = 4;
/** The engine before V8 13 (Node 24) takes eight times as long. */
const SLOWNESS = Number.parseInt(process.versions.v8, 10) < 13 ? 8 : 1;

interface Compiled {
  readonly short: RegExp;
  readonly long: RegExp;
  /** The number of characters that are searched. */
  readonly reach: number;
}

const literals = new Map<string, string>();
const compiled = new Map<string, Compiled | undefined>();
let guarded: boolean | undefined;
let isLate: (() => boolean) | undefined;

export function testRegex(source: string, text: string): boolean {
  return findRegex(source, text, 0) >= 0;
}

/** The start of the first match at or after `from`; -1 if there is none. */
export function findRegex(source: string, text: string, from: number): number {
  const bounded = toBounded(text);
  if (!bounded.includes(getLiteral(source))) return -1;
  guarded ??= switchOnLinear();
  const isShort = bounded.length <= SHORT_CHARS;
  if (!guarded || (!isShort && isLate?.())) return -1;
  if (!compiled.has(source)) compiled.set(source, compile(source));
  const found = compiled.get(source);
  if (found === undefined) return -1;
  const regex = isShort ? found.short : found.long;
  const start = bounded.length > found.reach ? findStart(source, bounded, from) : 0;
  regex.lastIndex = Math.max(0, from - start);
  const at = regex.exec(
    start === 0 && bounded.length <= found.reach ? bounded : bounded.slice(start, start + found.reach),
  );
  return at === null ? -1 : at.index + start;
}

/** Characters to search before the required text. */
const LEAD = 1024;

/** In a text that is too long, the search starts shortly before the text that a match must contain, or at `from`. */
function findStart(source: string, text: string, from: number): number {
  const literal = getLiteral(source);
  if (literal === '' || source.includes('^')) return 0;
  return Math.max(0, text.indexOf(literal, from) - LEAD);
}

/** While `work` runs, a regex on a long text does not match once `late` is true; `work` must check `late` too. */
export function withRegexDeadline<T>(late: () => boolean, work: () => T): T {
  const before = isLate;
  isLate = late;
  try {
    return work();
  } finally {
    isLate = before;
  }
}

function getLiteral(source: string): string {
  const known = literals.get(source);
  if (known !== undefined) return known;
  const literal = findLiteral(source);
  literals.set(source, literal);
  return literal;
}

/**
 * Undefined for a pattern that the linear engine rejects, because the fallback would fail. Lessons with such a pattern
 * are rejected, but anybody may have written the file.
 */
function compile(source: string): Compiled | undefined {
  try {
    const linear = new RegExp(source, 'gl');
    // Some patterns are rejected only at their first match.
    linear.test('');
    const short = new RegExp(source, 'g');
    const reach = CHOICE.test(source) ? toReach(source) : MAX_TEXT_CHARS;
    return { short, long: REPEATS_WITHOUT_END.test(source) ? linear : short, reach };
  } catch {
    return undefined;
  }
}

function toReach(source: string): number {
  const branches = [...source.matchAll(BRANCH)].reduce((sum, [, count = '1']) => sum + Number(count), 0);
  return Math.min(MAX_TEXT_CHARS, Math.floor((MAX_TEXT_CHARS * FREE_BRANCHES) / (branches * SLOWNESS)));
}

/**
 * These flags are for safety, not speed: without them one regex of a lesson could hold up every call of an agent.
 * `node:v8` is loaded here because it takes 2 ms, which only calls that contain a regex's required text should pay.
 */
function switchOnLinear(): boolean {
  const v8 = process.getBuiltinModule?.('node:v8');
  v8?.setFlagsFromString('--enable-experimental-regexp-engine');
  v8?.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  return v8 !== undefined;
}

const COUNT = /^\{\d+(?:,\d*)?\}/;
/** Escapes for a set, a position or white space: they contain no text, but the pattern can still be read. */
const PLAIN_ESCAPES = /[dDwWsSbBfnrtv]/;
const ALPHANUMERIC = /[a-zA-Z0-9]/;
const ENDS_TEXT = '.^$()[{*?+';

/**
 * Finds the longest text that every match of a regular expression must contain; empty if none is certain. Searching for
 * it is far cheaper than running the regex, and almost every call lacks it.
 */
export function findLiteral(source: string): string {
  let best = '';
  let run = '';
  const end = (kept: string): void => {
    if (kept.length > best.length) best = kept;
    run = '';
  };
  for (let i = 0; i < source.length; i++) {
    const char = source.charAt(i);
    // A literal brace is rare, so it gets no shortcut.
    if (char === '|' || (char === '{' && !COUNT.test(source.slice(i)))) return '';
    if (char === '\\') {
      const next = source.charAt(++i);
      if (PLAIN_ESCAPES.test(next)) end(run);
      else if (ALPHANUMERIC.test(next)) return '';
      else run += next;
    } else if (ENDS_TEXT.includes(char)) {
      // The character before it is optional.
      end('*?{'.includes(char) ? run.slice(0, -1) : run);
      i = skip(source, i);
    } else run += char;
  }
  end(run);
  return best;
}

/** The index of the last character of the group, class or count that begins at `start`; otherwise `start`. */
function skip(source: string, start: number): number {
  const first = source.charAt(start);
  if (first === '{') return source.indexOf('}', start);
  if (first !== '(' && first !== '[') return start;
  let depth = 0;
  let inClass = false;
  for (let i = start; i < source.length; i++) {
    const char = source.charAt(i);
    if (char === '\\') i++;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    if (depth === 0 && !inClass && char !== '\\') return i;
  }
  return source.length;
}
