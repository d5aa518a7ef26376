/** From which share of sessions a lesson is withheld, so that its effect can be told from what would happen anyway (E3). */
import { type Effect, isKnownEffect } from '../base/effect.ts';
import { type Lesson, toLevel } from '../base/lesson.ts';
import type { HoldoutSettings } from '../base/settings.ts';
import type { TrialCounts } from '../base/trials.ts';

/** Once the effect is known, it is only watched. */
const WATCHING = 0.25;
/** While it is measured anew, an answer is wanted soon. */
const RETESTING = 5;
const MOST = 0.5;

/**
 * A person's own lesson is theirs to say, and so is one whose mode a person has set. One that a person only confirmed is
 * measured: they say that it is right, not that it helps.
 */
export function mayWithhold(lesson: Lesson, { share }: Pick<HoldoutSettings, 'share'>): boolean {
  const { origin, modeBy, priority, status, scope } = lesson;
  if (share === 0 || status !== 'active' || scope.kind === 'session') return false;
  return origin.kind !== 'user' && modeBy === undefined && toLevel(priority) !== 'CRITICAL';
}

/** Undefined: from none. */
export function decideHoldout(
  lesson: Lesson,
  trials: Pick<TrialCounts, 'shown'> | undefined,
  effect: Pick<Effect, 'interval'> | undefined,
  settings: HoldoutSettings,
): number | undefined {
  if (!mayWithhold(lesson, settings)) return undefined;
  const { share } = settings;
  // At once: its first deliveries are long past, though they count no more.
  if (lesson.measure?.retest !== undefined) return Math.max(share, Math.min(MOST, share * RETESTING));
  if ((trials?.shown ?? 0) < settings.after) return undefined;
  return effect !== undefined && isKnownEffect(effect) ? share * WATCHING : share;
}
