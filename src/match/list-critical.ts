/** The CRITICAL lessons that a new session hears of: the weightiest that speak here. */
import { byWeight } from '../base/by-weight.ts';
import { type CompiledLesson, toCriticalKey } from '../base/manifest.ts';
import type { Manifest } from './open-manifest.ts';

const MOST = 5;

export interface CriticalPlace {
  readonly projectId: string;
  readonly sessionId: string;
  readonly at: string;
}

export function listCritical(
  manifest: Manifest,
  { projectId, sessionId, at }: CriticalPlace,
  isHeard: (lesson: CompiledLesson) => boolean,
): readonly CompiledLesson[] {
  const here = manifest.header.aliases?.[projectId] ?? projectId;
  const heard = manifest
    .find([toCriticalKey(here), toCriticalKey('')])
    .filter((lesson) => !lesson.notIn?.some((id) => id === here || id === sessionId))
    .filter(({ quietUntil }) => quietUntil === undefined || quietUntil <= at)
    .filter(isHeard);
  // Not `toSorted`, which Node 18 does not have; the list is our own.
  return heard.sort(byWeight).slice(0, MOST);
}
