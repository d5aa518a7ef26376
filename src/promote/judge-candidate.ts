/**
 * Whether a lesson should stand in the files that agents always read (P1). Rarely: every session pays for it. `short`: a
 * person may propose it all the same. `barred`: nobody may.
 */
import type { Effect, Rate } from '../base/effect.ts';
import type { Lesson } from '../base/lesson.ts';
import type { PromotionSettings } from '../base/settings.ts';

/** What became of its deliveries. */
export interface Track {
  readonly judged: number;
  readonly clean: number;
  /** In which they were judged. */
  readonly sessions: number;
  /** Shown against withheld; absent while too few of either were judged. */
  readonly effect?: Effect;
}

/** So likely it must be that a lesson prevents anything, once that can be known. */
const LIKELY = 0.9;

export const NO_TRACK: Track = { judged: 0, clean: 0, sessions: 0 };

export type CandidateVerdict =
  | { readonly verdict: 'candidate' }
  | { readonly verdict: 'short' | 'barred'; readonly reason: string; readonly next: string };

export function judgeCandidate(lesson: Lesson, track: Track, limits: PromotionSettings): CandidateVerdict {
  const bar = findBar(lesson);
  if (bar !== undefined) return { verdict: 'barred', ...bar };
  const reason = findShortfall(lesson, track, limits);
  if (reason === undefined) return { verdict: 'candidate' };
  return {
    verdict: 'short',
    reason,
    next: `if you know better: oncebitten promote propose ${lesson.slug} --force`,
  };
}

/** Undefined where nothing was judged. */
export function toEffectiveness({ judged, clean }: Track): number | undefined {
  return judged === 0 ? undefined : clean / judged;
}

function findBar(lesson: Lesson): { readonly reason: string; readonly next: string } | undefined {
  const { slug, status, needsReview, origin, reviewedBy, scope, validity } = lesson;
  const approve = `oncebitten lessons approve ${slug}`;
  if (status === 'archived')
    return { reason: 'is archived', next: `restore it first: oncebitten lessons restore ${slug}` };
  if (scope.kind === 'session')
    return { reason: 'is true in one session only', next: `widen it first: oncebitten lessons edit ${slug}` };
  if (status === 'draft' || needsReview) return { reason: 'waits for review', next: `approve it first: ${approve}` };
  if (origin.trust === 'foreign' && reviewedBy === undefined)
    return { reason: 'came from outside and nobody here confirmed it', next: `read it, then: ${approve}` };
  if (validity.until !== undefined)
    return {
      reason: `is over on ${validity.until.slice(0, 10)}, and a file would still say it`,
      next: `end that first: oncebitten lessons edit ${slug} --valid-until none`,
    };
  return undefined;
}

function findShortfall(lesson: Lesson, track: Track, limits: PromotionSettings): string | undefined {
  const effectiveness = toEffectiveness(track);
  if (effectiveness === undefined) return 'has not been judged yet';
  if (effectiveness < limits.minEffectiveness)
    return `stayed clean in ${toPercent(effectiveness)} of its judged deliveries, not ${toPercent(limits.minEffectiveness)}`;
  const { effect } = track;
  if (effect !== undefined && effect.helps < LIKELY)
    return `is not known to help: the mistake came again after ${renderRate(effect.with)} shown and ${renderRate(effect.without)} withheld deliveries`;
  if (track.sessions < limits.minTasks) return `was judged in ${track.sessions} sessions, not ${limits.minTasks}`;
  if (lesson.confidence < limits.minConfidence)
    return `has confidence ${lesson.confidence.toFixed(2)}, not ${limits.minConfidence}`;
  return undefined;
}

function renderRate({ trials, failures }: Rate): string {
  return `${failures} of ${trials}`;
}

export function toPercent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
