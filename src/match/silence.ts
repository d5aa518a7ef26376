/**
 * Decides whether a matching lesson stays silent: quiet, because agents evidently follow it and did so within the last
 * day, or withheld from this session to measure its effect. CRITICAL lessons and lessons that do more than note are
 * never quiet. A hash of lesson, session and the seed of the data directory decides about withholding, so the daemon,
 * the cold hook and every sub-agent agree without asking each other.
 */

import { hashText } from '../base/ids.ts';
import type { DeliveryMode } from '../base/model/lesson.ts';
import type { CompiledLesson, ManifestHeader } from '../base/model/manifest.ts';
import { type Match, PRIORITY_FACTORS } from './match-lessons.ts';

export function isQuiet({ lesson, score }: Match, at: string, maxMode: DeliveryMode): boolean {
  if (lesson.quietUntil === undefined || lesson.quietUntil <= at) return false;
  const isNote = maxMode === 'note' || lesson.mode === 'note';
  return isNote && score.parts.priority < PRIORITY_FACTORS.CRITICAL;
}

const HASH_CHARS = 7;
const HASHES = 2 ** 32;

/**
 * Is this lesson left unsaid in this session, to see what it changes? Decided by a hash of the two and of the data
 * home's seed: the same for the daemon, the cold hook and every sub-agent, without asking anybody.
 */
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
