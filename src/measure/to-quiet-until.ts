/**
 * A lesson that agents evidently follow need not be said to every session of a day: repetition is nagging. Until when it
 * is quiet; undefined where it should speak.
 */
import type { TrackRecord } from '../base/delivery.ts';

/** Followed so often, and lately always. */
const MIN_CLEAN = 3;
const MIN_SHARE = 0.8;
const DAY_MS = 24 * 60 * 60_000;

export function toQuietUntil({ judged, clean, lastCleanAt, lastFailedAt = '' }: TrackRecord): string | undefined {
  if (lastCleanAt === undefined || lastFailedAt >= lastCleanAt) return undefined;
  if (clean < MIN_CLEAN || clean / judged < MIN_SHARE) return undefined;
  return new Date(Date.parse(lastCleanAt) + DAY_MS).toISOString();
}
