/**
 * Runs a lesson's regular expression. Patterns were accepted only if V8's linear engine compiles them; they run on the
 * ordinary engine, which is 40 times faster, with V8's fallback to the linear one on excessive backtracking.
 * Where that fallback cannot be switched on, a regex never holds: silence is safe, a stuck hook is not.
 */
const MAX_TEXT_CHARS = 64 * 1024;
const compiled = new Map<string, RegExp | undefined>();
let guarded: boolean | undefined;

export function testRegex(source: string, text: string): boolean {
  guarded ??= switchOnFallback();
  if (!guarded) return false;
  if (!compiled.has(source)) compiled.set(source, compile(source));
  return compiled.get(source)?.test(text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text) ?? false;
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

/** Not a static import: the hook loads node:v8 only when a candidate lesson has a regex. */
function switchOnFallback(): boolean {
  const v8 = process.getBuiltinModule?.('node:v8');
  v8?.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  return v8 !== undefined;
}
