/**
 * Judges whether a lesson should be promoted into the files that agents always read, and makes the proposal that the
 * user decides on. Few lessons qualify, because every session pays for the text. `short`: the lesson lacks evidence,
 * but the user may still propose it; `barred`: it can never be promoted.
 */

import type { Lesson } from '../base/model/lesson.ts';
import { isUnconfirmed, isWaiting } from '../base/model/lesson-trust.ts';
import type { PromotionSettings } from '../base/model/settings.ts';
import type { Effect, Rate } from '../base/statistics/estimates.ts';

/** The results of its deliveries. */
export interface Track {
  readonly judged: number;
  readonly clean: number;
  /** The sessions in which they were judged. */
  readonly sessions: number;
  /** Shown against withheld; absent while too few of either were judged. */
  readonly effect?: Effect;
}

/** The required probability that a lesson prevents anything, once that is measured. */
const LIKELY = 0.9;

export const NO_TRACK: Track = { judged: 0, clean: 0, sessions: 0 };

export type Candidacy =
  | { readonly standing: 'candidate' }
  | { readonly standing: 'short' | 'barred'; readonly reason: string; readonly next: string };

export function judgeCandidate(lesson: Lesson, track: Track, limits: PromotionSettings): Candidacy {
  const bar = findBar(lesson);
  if (bar !== undefined) return { standing: 'barred', ...bar };
  const reason = findShortfall(lesson, track, limits);
  if (reason === undefined) return { standing: 'candidate' };
  return {
    standing: 'short',
    reason,
    next: `propose it anyway: oncebitten lessons promote propose ${lesson.slug} --force`,
  };
}

/** Undefined if nothing was judged. */
function toEffectiveness({ judged, clean }: Track): number | undefined {
  return judged === 0 ? undefined : clean / judged;
}

interface Bar {
  readonly reason: string;
  readonly next: string;
}

/** Why a lesson must not be written to a file that others read: an instruction file or a lesson file. */
export function findFileBar(lesson: Lesson): Bar | undefined {
  const { slug, status, scope } = lesson;
  if (status === 'archived')
    return { reason: 'is archived', next: `restore it first: oncebitten lessons restore ${slug}` };
  if (scope.kind === 'session')
    return { reason: 'is true in one session only', next: `widen it first: oncebitten lessons edit ${slug}` };
  if (!isWaiting(lesson)) return undefined;
  return { reason: 'waits for review', next: `approve it first: oncebitten lessons approve ${slug}` };
}

function findBar(lesson: Lesson): Bar | undefined {
  const { slug, validity } = lesson;
  const bar = findFileBar(lesson);
  if (bar !== undefined) return bar;
  if (isUnconfirmed(lesson)) {
    const next = `read it, then: oncebitten lessons approve ${slug}`;
    return { reason: 'came from outside and nobody here confirmed it', next };
  }
  if (validity.until !== undefined)
    return {
      reason: `is valid only until ${validity.until.slice(0, 10)}, but a file would keep it`,
      next: `remove that limit first: oncebitten lessons edit ${slug} --valid-until none`,
    };
  return undefined;
}

function findShortfall(lesson: Lesson, track: Track, limits: PromotionSettings): string | undefined {
  const effectiveness = toEffectiveness(track);
  const measured = `was measured in ${track.sessions} of the ${limits.minTasks} sessions that a proven lesson needs`;
  if (effectiveness === undefined) return measured;
  if (effectiveness < limits.minEffectiveness)
    return `prevented the mistake in ${toPercent(effectiveness)} of the measured cases, but a proven lesson needs ${toPercent(limits.minEffectiveness)}`;
  const { effect } = track;
  if (effect !== undefined && effect.helps < LIKELY)
    return `is not known to help: agents repeated the mistake in ${renderRate(effect.with)} cases with the lesson and in ${renderRate(effect.without)} without it`;
  if (track.sessions < limits.minTasks) return measured;
  if (lesson.confidence < limits.minConfidence)
    return `has confidence ${lesson.confidence.toFixed(2)}, but a proven lesson needs ${limits.minConfidence}`;
  return undefined;
}

function renderRate({ trials, failures }: Rate): string {
  return `${failures} of ${trials}`;
}

export function toPercent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

const MAX_EXAMPLES = 3;

export interface Proposal {
  readonly title: string;
  /** The calls on which the lesson fires. */
  readonly context: string;
  readonly problem: string;
  readonly solution: string;
  readonly frequency: Frequency;
  /** Excerpts of the evidence, newest first. */
  readonly examples: readonly string[];
}

interface Frequency extends Track {
  /** The share of clean deliveries; absent if nothing was judged. */
  readonly effectiveness?: number;
  /** How often the mistake was seen. */
  readonly seen: { readonly times: number; readonly sessions: number; readonly projects: number };
}

/** The text that a person reads before deciding on a promotion. */
export function makeProposal(lesson: Lesson, track: Track, context: string): Proposal {
  const { summary, mistake, remediation, occurrences, sessions, projects } = lesson;
  const effectiveness = toEffectiveness(track);
  return {
    title: summary,
    context,
    problem: mistake,
    solution: remediation,
    frequency: {
      ...track,
      ...(effectiveness === undefined ? {} : { effectiveness }),
      seen: { times: occurrences, sessions, projects },
    },
    examples: listExamples(lesson),
  };
}

function listExamples({ evidence }: Lesson): readonly string[] {
  const newest = evidence.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return [...new Set(newest.flatMap(({ excerpt }) => excerpt ?? []))].slice(0, MAX_EXAMPLES);
}
