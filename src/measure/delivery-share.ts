/**
 * Decides how often a lesson is delivered: the share of sessions from which it is withheld, the time until which it is
 * quiet, and the measured factor of its score. A lesson is withheld from some sessions so that its effect can be told
 * from what would happen anyway.
 */

import type { TrackRecord } from '../base/model/delivery.ts';
import { type Lesson, toLevel } from '../base/model/lesson.ts';
import { isVouchedFor } from '../base/model/lesson-trust.ts';
import type { HoldoutSettings } from '../base/model/settings.ts';
import type { TrialCounts } from '../base/statistics/delivery-counts.ts';
import { type Effect, isKnownEffect } from '../base/statistics/estimates.ts';

/** The factor once the effect is known and only monitored. */
const WATCHING = 0.25;
/** The factor while the lesson is measured again, for a quick answer. */
const RETESTING = 5;
const MOST = 0.5;

/**
 * A lesson that a person wrote, or whose mode a person set, is never withheld. A lesson that a person only confirmed is
 * measured: they vouch that it is right, not that it helps.
 */
export function mayWithhold(lesson: Lesson, { share }: Pick<HoldoutSettings, 'share'>): boolean {
  const { origin, modeBy, priority, status, scope } = lesson;
  if (share === 0 || status !== 'active' || scope.kind === 'session') return false;
  return origin.kind !== 'user' && modeBy === undefined && toLevel(priority) !== 'CRITICAL';
}

/** The share of sessions to withhold the lesson from; undefined for none. */
export function decideHoldout(
  lesson: Lesson,
  trials: Pick<TrialCounts, 'shown'> | undefined,
  effect: Pick<Effect, 'interval'> | undefined,
  settings: HoldoutSettings,
): number | undefined {
  if (!mayWithhold(lesson, settings)) return undefined;
  const { share } = settings;
  // Withheld at once, because its first deliveries are long past, though they no longer count.
  if (lesson.measure?.retest !== undefined) return Math.max(share, Math.min(MOST, share * RETESTING));
  if ((trials?.shown ?? 0) < settings.after) return undefined;
  return effect !== undefined && isKnownEffect(effect) ? share * WATCHING : share;
}

export interface QuietQuestion {
  readonly record: TrackRecord;
  /** Times after this come from a wrong clock and are ignored. */
  readonly now: string;
  /** The last time that the mistake was made without a warning. */
  readonly lastMissedAt?: string | undefined;
  readonly mayWithhold: boolean;
  readonly effect?: Pick<Effect, 'interval'> | undefined;
}

/** Followed this often, and always lately. */
const MIN_CLEAN = 3;
const MIN_SHARE = 0.8;
/** Counted from the last time that agents followed the lesson. */
export const QUIET_MS = 24 * 60 * 60_000;

/**
 * The time until which a lesson is quiet, because agents follow it and repeating it to every session would be a
 * nuisance; undefined if it should fire. A quiet lesson is neither shown nor withheld, and so not measured, so a lesson
 * that may be withheld becomes quiet only once it is known to help.
 */
export function toQuietUntil(question: QuietQuestion): string | undefined {
  const { judged, clean, lastCleanAt = '', lastFailedAt = '' } = question.record;
  const { lastMissedAt = '', mayWithhold, effect, now } = question;
  if (lastCleanAt === '' || lastCleanAt > now) return undefined;
  if ([lastFailedAt, lastMissedAt].some((at) => at >= lastCleanAt && at <= now)) return undefined;
  if (clean < MIN_CLEAN || clean / judged < MIN_SHARE) return undefined;
  if (mayWithhold && !(effect !== undefined && effect.interval[0] > 0)) return undefined;
  return new Date(Date.parse(lastCleanAt) + QUIET_MS).toISOString();
}

const ENOUGH = 5;

/**
 * The factor that judged deliveries put on a lesson's score: 0.5 plus the share of clean ones, from five judged
 * deliveries on. It does not apply to a lesson that was raised or is measured again, because that lesson must fire to
 * be judged, and it never lowers a lesson that a person vouches for.
 */
export function findMeasuredFactor(lesson: Lesson, record: TrackRecord | undefined): number | undefined {
  const { retest, raised } = lesson.measure ?? {};
  if (record === undefined || retest !== undefined || raised !== undefined) return undefined;
  const { judged, clean } = record;
  if (judged < ENOUGH) return undefined;
  const factor = Math.round((0.5 + clean / judged) * 1000) / 1000;
  return isVouchedFor(lesson) ? Math.max(1, factor) : factor;
}
