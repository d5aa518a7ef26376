/**
 * Runs a lesson's regular expression. Patterns were accepted only if V8's linear engine compiles them. On short texts they
 * run on the ordinary engine, which is 40 times faster, with V8's fallback to the linear one on excessive backtracking. On
 * long texts whatever repeats without end runs on the linear one: begun anew at each place it is quadratic without ever
 * backtracking enough. Where that engine cannot be switched on, a regex never holds: silence is safe, a stuck hook is not.
 */

import { MAX_TEXT_CHARS, toBounded } from '../model/manifest.ts';
import { findLiteral } from './required-text.ts';

/** Up to here the worst takes the ordinary engine some milliseconds, twice as far it takes many; and no clock is looked at. */
const SHORT_CHARS = 256;
/** Without one there is one thing to try at each character: what it repeats it repeats so often. */
const CHOICE = /[*+?|]|\{\d*,/;
const REPEATS_WITHOUT_END = /[*+]|\{\d*,\}/;
/** What the linear engine follows side by side: each costs it time at every character. A count stands for so many. */
const BRANCH = /(?<!\()[*+?|]|\{(?:\d+,)?(\d+)/g;
/** So many branches it follows over 64 KiB in about 10 ms; with more of them less of the text is searched. */
const FREE_BRANCHES = 4;
/** Its code before V8 13 (Node 24) takes eight times as long. */
const SLOWNESS = Number.parseInt(process.versions.v8, 10) < 13 ? 8 : 1;

interface Compiled {
  readonly short: RegExp;
  readonly long: RegExp;
  /** How far into a text it looks. */
  readonly reach: number;
}

const literals = new Map<string, string>();
const compiled = new Map<string, Compiled | undefined>();
let guarded: boolean | undefined;
let isLate: (() => boolean) | undefined;

export function testRegex(source: string, text: string): boolean {
  return findRegex(source, text, 0) >= 0;
}

/** Where the first match at `from` or later begins; -1 where there is none. */
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

/** What stands before the text that a match must hold. */
const LEAD = 1024;

/** Of a text that is too long it is looked at where the match must be; from the beginning, where that is asked for. */
function findStart(source: string, text: string, from: number): number {
  const literal = getLiteral(source);
  if (literal === '' || source.includes('^')) return 0;
  return Math.max(0, text.indexOf(literal, from) - LEAD);
}

/** While `work` runs, no regex begins on a long text once it is late: it then does not hold, and `work` must ask too. */
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
 * Undefined for what the linear engine does not take: the fallback would fail where it is needed. Lessons are refused with
 * such a pattern, but a file may have been written by anyone.
 */
function compile(source: string): Compiled | undefined {
  try {
    const linear = new RegExp(source, 'gl');
    // Some refusals come only with the first match.
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
 * These flags are for safety, not for speed: without them one regex of a lesson could hold up every call of an agent.
 * `node:v8` is loaded here, because it costs 2 ms, which only a call pays that contains the literal of a regex.
 */
function switchOnLinear(): boolean {
  const v8 = process.getBuiltinModule?.('node:v8');
  v8?.setFlagsFromString('--enable-experimental-regexp-engine');
  v8?.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  return v8 !== undefined;
}
