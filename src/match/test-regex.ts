/**
 * Runs a lesson's regular expression. Patterns were accepted only if V8's linear engine compiles them; they run on the
 * ordinary engine, which is 40 times faster, with V8's fallback to the linear one on excessive backtracking.
 * Where that fallback cannot be switched on, a regex never holds: silence is safe, a stuck hook is not.
 */
import { findLiteral } from './find-literal.ts';

const MAX_TEXT_CHARS = 64 * 1024;
const literals = new Map<string, string>();
const compiled = new Map<string, RegExp | undefined>();
let guarded: boolean | undefined;

export function testRegex(source: string, text: string): boolean {
  if (!text.includes(getLiteral(source))) return false;
  guarded ??= switchOnFallback();
  if (!guarded) return false;
  if (!compiled.has(source)) compiled.set(source, compile(source));
  return compiled.get(source)?.test(text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text) ?? false;
}

function getLiteral(source: string): string {
  const known = literals.get(source);
  if (known !== undefined) return known;
  const literal = findLiteral(source);
  literals.set(source, literal);
  return literal;
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

/** Not a static import: it costs the hook 2 ms, which only a call pays that has the literal of a regex in it. */
function switchOnFallback(): boolean {
  const v8 = process.getBuiltinModule?.('node:v8');
  v8?.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  return v8 !== undefined;
}
