/**
 * Runs a lesson's regular expression. Patterns were accepted only if V8's linear engine compiles them; they run on the
 * ordinary engine, which is 40 times faster, with V8's fallback to the linear one on excessive backtracking.
 * Where that fallback cannot be switched on, a regex never holds: silence is safe, a stuck hook is not.
 */
import { findLiteral } from '../base/find-literal.ts';
import { toBounded } from '../base/lesson-index.ts';

/** Long texts only: looking at the clock costs more than a short one takes. */
const SLOW_CHARS = 4096;
const literals = new Map<string, string>();
const compiled = new Map<string, RegExp | undefined>();
let guarded: boolean | undefined;
let isLate: (() => boolean) | undefined;

export function testRegex(source: string, text: string): boolean {
  return findRegex(source, text, 0) >= 0;
}

/** Where the first match at `from` or later begins; -1 where there is none. */
export function findRegex(source: string, text: string, from: number): number {
  const bounded = toBounded(text);
  if (!bounded.includes(getLiteral(source))) return -1;
  guarded ??= switchOnFallback();
  if (!guarded || (bounded.length > SLOW_CHARS && isLate?.())) return -1;
  if (!compiled.has(source)) compiled.set(source, compile(source));
  const regex = compiled.get(source);
  if (regex === undefined) return -1;
  regex.lastIndex = from;
  return regex.exec(bounded)?.index ?? -1;
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
function compile(source: string): RegExp | undefined {
  try {
    // Some refusals come only with the first match.
    new RegExp(source, 'l').test('');
    return new RegExp(source, 'g');
  } catch {
    return undefined;
  }
}

/** Not a static import: it costs the hook 2 ms, which only a call pays that has the literal of a regex in it. */
function switchOnFallback(): boolean {
  const v8 = process.getBuiltinModule?.('node:v8');
  v8?.setFlagsFromString('--enable-experimental-regexp-engine');
  v8?.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  return v8 !== undefined;
}
