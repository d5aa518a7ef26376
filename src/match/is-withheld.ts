/**
 * Is this lesson left unsaid in this session, to see what it changes (E3)? Decided by a hash of the two and of the data
 * home's seed: the same for the daemon, the cold hook and every sub-agent, without asking anybody.
 */
import { hashText } from '../base/hash.ts';
import type { CompiledLesson, ManifestHeader } from '../base/manifest.ts';

const HASH_CHARS = 7;
const HASHES = 2 ** 32;

export function isWithheld(
  { id, withheld }: Pick<CompiledLesson, 'id' | 'withheld'>,
  { agent, sessionId }: { readonly agent: string; readonly sessionId: string },
  { seed, settings }: ManifestHeader,
): boolean {
  // The share in the settings may have become none since the lessons were compiled.
  if (withheld === undefined || seed === undefined || settings.holdout.share === 0) return false;
  return draw(`${seed}\n${id}\n${agent}\n${sessionId}`) < withheld;
}

/** From 0 to 1, 1 excluded. */
function draw(text: string): number {
  return Number.parseInt(hashText(text).slice(0, HASH_CHARS), 36) / HASHES;
}
