/**
 * A lesson that agents evidently follow need not be said to every session of a day: repetition is nagging. Until when it
 * is quiet; undefined where it should speak. What is quiet is neither said nor withheld, and so not measured: as long as
 * it may be withheld, it speaks until it is known to help.
 */
import type { TrackRecord } from '../base/delivery.ts';
import type { Effect } from '../base/effect.ts';

export interface QuietQuestion {
  readonly record: TrackRecord;
  /** What was noted later than this comes from a clock that was wrong, and says nothing about the order of things. */
  readonly now: string;
  /** The mistake was made and nobody had warned of it: when last. */
  readonly lastMissedAt?: string | undefined;
  readonly mayWithhold: boolean;
  readonly effect?: Pick<Effect, 'interval'> | undefined;
}

/** Followed so often, and lately always. */
const MIN_CLEAN = 3;
const MIN_SHARE = 0.8;
/** After it was followed last. */
export const QUIET_MS = 24 * 60 * 60_000;

export function toQuietUntil(question: QuietQuestion): string | undefined {
  const { judged, clean, lastCleanAt = '', lastFailedAt = '' } = question.record;
  const { lastMissedAt = '', mayWithhold, effect, now } = question;
  if (lastCleanAt === '' || lastCleanAt > now) return undefined;
  if ([lastFailedAt, lastMissedAt].some((at) => at >= lastCleanAt && at <= now)) return undefined;
  if (clean < MIN_CLEAN || clean / judged < MIN_SHARE) return undefined;
  if (mayWithhold && !(effect !== undefined && effect.interval[0] > 0)) return undefined;
  return new Date(Date.parse(lastCleanAt) + QUIET_MS).toISOString();
}
