/**
 * Counts of deliveries as the store returns them: cells, latency, misses, feedback, recurrences, and trials per lesson.
 * The rows are few, and `measure/make-stats-report.ts` computes every figure from them.
 */

import type { Delivery, DeliveryOutcome, MissReason } from '../model/delivery.ts';
import type { FeedbackSource, FeedbackVerdict } from '../model/feedback.ts';
import type { Rate, Sums } from './estimates.ts';

/** Always apart for each lesson too: figures of several lessons are not added up without knowing whose they are. */
export type DeliveryGrouping = 'project' | 'agent' | 'day';

/** What is measured of the calls after a delivery, and compared between shown and withheld. */
export const AFTER_MEASURES = ['failingAttempts', 'callsToSuccess', 'secondsToSuccess', 'tokensToSuccess'] as const;
export type AfterMeasure = (typeof AFTER_MEASURES)[number];

/** Deliveries that are alike in all of this. */
export interface DeliveryCell {
  /** The project's id, the agent, or the day (UTC); empty where the project is not known. */
  readonly key: string;
  readonly lessonId: string;
  readonly kind: Delivery['kind'];
  readonly mode: Delivery['mode'];
  readonly arm: Delivery['arm'];
  /** Absent until judged. */
  readonly outcome?: DeliveryOutcome;
  readonly count: number;
  readonly bytes: number;
  /** Of those that were judged: the failure that the lesson is about came again; the judging call failed in any way. */
  readonly again: number;
  readonly failed: number;
  /**
   * What became of the very calls that notes of lessons about a failure came to, shown or withheld: too late to change
   * them. Where they worked there was nothing to warn of.
   */
  readonly ownWorked: number;
  readonly ownFailed: number;
  /** Of those that were judged. `n` is less where no attempt has worked yet, or nothing was measured. */
  readonly after: Readonly<Record<AfterMeasure, Sums>>;
  /** Judged deliveries of lessons about a failure; and of these, those after which a later session of the project failed that way. */
  readonly followed: number;
  readonly cameBack: number;
  /** Judged by the rules of an older version and not yet anew: they count as not judged. Absent where there are none. */
  readonly oldVerdicts?: number;
}

/** Of calls at which a lesson spoke or was withheld: from the event's arrival until it was decided. */
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

/** Calls of the program of a lesson's failure, and how many failed that way, before it first spoke at a call and since. */
export interface LessonRecurrence {
  readonly lessonId: string;
  readonly firstFiredAt: string;
  readonly before: Rate;
  readonly after: Rate;
}

/** What became of the deliveries of one lesson at calls, counted by how they were made. Verdicts of `incomplete` are none. */
export interface Tally {
  readonly judged: number;
  /** The failure that the lesson is about came again. */
  readonly again: number;
  /** The call that judged it failed, in whatever way. */
  readonly failed: number;
}

export interface TrialCounts {
  readonly lessonId: string;
  /** Shown at calls, judged or not. */
  readonly shown: number;
  /** Shown as a note: what withheld ones are compared with. */
  readonly note: Tally;
  /** Shown by holding a call back or correcting it. */
  readonly acting: Tally;
  readonly withheld: Tally;
}

export interface Trials extends TrialCounts {
  /** Of all that were shown and judged. `clean`: the failure did not come again, whatever was done. */
  readonly verdicts: { readonly clean: number; readonly ignored: number; readonly failedAnyway: number };
  /** The very calls that it spoke at as a note, or was withheld from: a note comes too late to change them. */
  readonly own: { readonly failed: number; readonly worked: number };
  /** Whether each of the last ones that were shown came to a failure, newest first. */
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
