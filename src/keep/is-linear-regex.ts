/**
 * Is a pattern one that V8's linear-time engine takes (no look-around, no backreference, no large counts)? Only such
 * patterns may be in a lesson: they run while an agent waits.
 */
import { setFlagsFromString } from 'node:v8';

let ready = false;

export function isLinearRegex(source: string): boolean {
  if (!ready) setFlagsFromString('--enable-experimental-regexp-engine');
  ready = true;
  try {
    // The engine is lazy about some refusals until the first match.
    new RegExp(source, 'l').test('');
    return true;
  } catch {
    return false;
  }
}
