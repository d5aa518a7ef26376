/**
 * Counts of deliveries as the store returns them: cells, latency, misses, feedback, recurrences, and trials per lesson.
 * The rows are few, and `measure/make-stats-report.ts` computes every figure from them.
 */

import type { Delivery, DeliveryOutcome, MissReason } from '../model/delivery.ts';
import type { FeedbackSource, FeedbackVerdict } from '../model/feedback.ts';
import type { Rate, Sums } from './estimates.ts';

/** Cells are also separate for each lesson, so that figures of several lessons are not added up blindly. */
export type DeliveryGrouping = 'project' | 'agent' | 'day';

/** Measures of the calls after a delivery, compared between shown and withheld. */
export const AFTER_MEASURES = ['failingAttempts', 'callsToSuccess', 'secondsToSuccess', 'tokensToSuccess'] as const;
export type AfterMeasure = (typeof AFTER_MEASURES)[number];

/** Deliveries that agree in all of these fields. */
export interface DeliveryCell {
  /** The project's id, the agent, or the day (UTC); empty if the project is unknown. */
  readonly key: string;
  readonly lessonId: string;
  readonly kind: Delivery['kind'];
  readonly mode: Delivery['mode'];
  readonly arm: Delivery['arm'];
  /** Absent until judged. */
  readonly outcome?: DeliveryOutcome;
  readonly count: number;
  readonly bytes: number;
  /** Of the judged deliveries: the lesson's failure was repeated; the judging call failed for any cause. */
  readonly again: number;
  readonly failed: number;
  /**
   * The outcomes of the very calls that notes about a failure were delivered at, shown or withheld. A note comes too
   * late to change them. If the call worked, there was nothing to warn about.
   */
  readonly ownWorked: number;
  readonly ownFailed: number;
  /** Of the judged deliveries. `n` is smaller if no attempt has worked yet or nothing was measured. */
  readonly after: Readonly<Record<AfterMeasure, Sums>>;
  /** Judged deliveries of lessons about a failure; and those after which a later session failed that way. */
  readonly followed: number;
  readonly cameBack: number;
  /** Verdicts by the rules of an older version, which count as not judged. Absent if there are none. */
  readonly oldVerdicts?: number;
}

/** The time from the event's arrival to the decision, for calls at which a lesson fired or was withheld. */
export interface LatencyFigures {
  readonly calls: number;
  readonly p50Us: number;
  readonly p95Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
}

export interface MissCount {
  readonly reason: MissReason;
  readonly count: number;
}

export interface FeedbackCount {
  readonly from: FeedbackSource;
  readonly verdict: FeedbackVerdict;
  readonly count: number;
}

/** Calls of the failing program, and how many failed that way, before the lesson first fired on a call and after. */
export interface LessonRecurrence {
  readonly lessonId: string;
  readonly firstFiredAt: string;
  readonly before: Rate;
  readonly after: Rate;
}

/** The results of one lesson's deliveries at calls, by mode. `incomplete` does not count as judged. */
export interface Tally {
  readonly judged: number;
  /** The lesson's failure was repeated. */
  readonly again: number;
  /** The judging call failed, for any cause. */
  readonly failed: number;
}

export interface TrialCounts {
  readonly lessonId: string;
  /** Shown at calls, judged or not. */
  readonly shown: number;
  /** Shown as a note; compared with the withheld ones. */
  readonly note: Tally;
  /** Shown as a pause, a block or a rewrite. */
  readonly acting: Tally;
  readonly withheld: Tally;
}

export interface Trials extends TrialCounts {
  /** Of all that were shown and judged. `clean`: the failure was not repeated, whatever the agent did. */
  readonly verdicts: { readonly clean: number; readonly ignored: number; readonly failedAnyway: number };
  /** The outcomes of the very calls that its notes were delivered at or withheld from, which a note cannot change. */
  readonly own: { readonly failed: number; readonly worked: number };
  /** For each of the last shown deliveries, newest first: did a failure follow? */
  readonly recent: readonly boolean[];
}

export const NO_TALLY: Tally = { judged: 0, again: 0, failed: 0 };

export function makeNoTrials(lessonId: string): Trials {
  return {
    ...{ lessonId, shown: 0, note: NO_TALLY, acting: NO_TALLY, withheld: NO_TALLY },
    verdicts: { clean: 0, ignored: 0, failedAnyway: 0 },
    ...{ own: { failed: 0, worked: 0 }, recent: [] },
  };
}
