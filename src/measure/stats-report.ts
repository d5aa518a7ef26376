/** What `oncebitten stats --json` prints. Times are UTC; shares are 0 to 1. */

import type { AddedCount, DeliveryOutcome } from '../base/model/delivery.ts';
import type { FeedbackSource, FeedbackVerdict } from '../base/model/feedback.ts';
import type { DeliveryMode, Level } from '../base/model/lesson.ts';
import type { AfterMeasure, LatencyFigures, MissCount } from '../base/statistics/delivery-counts.ts';
import type { Effect, Rate } from '../base/statistics/estimates.ts';
import type { FailureCounts } from '../base/statistics/failure-ledger.ts';

import type { Comparison } from './effects.ts';

/** `open`: not judged yet. */
export type OutcomeCounts = Readonly<Record<DeliveryOutcome | 'open', number>>;

/** Calls that notes came to, or were withheld from, and that worked: there was nothing to warn of. */
interface FalseAlarms {
  /** Calls whose end is known. */
  readonly calls: number;
  readonly worked: number;
  /** Absent where no call is known. */
  readonly share?: number;
  /** Wilson's 95 % interval. */
  readonly interval?: readonly [low: number, high: number];
}

export interface StatsFigures {
  readonly shown: number;
  readonly withheld: number;
  /** Shown at calls, by how far they went. */
  readonly modes: Readonly<Record<DeliveryMode, number>>;
  /** Shown when a session began: about no call, never judged. */
  readonly atStart: number;
  /** Of those shown at calls. */
  readonly outcomes: OutcomeCounts;
  readonly withheldOutcomes: OutcomeCounts;
  readonly falseAlarms: FalseAlarms;
  /** Of the lessons that were shown, without what stands around them; a token is taken as four bytes. */
  readonly bytes: number;
  readonly tokens: number;
  /**
   * By chance shown or withheld; of several lessons, each weighs as often as it was withheld. Absent while either arm was
   * judged less than five times.
   */
  readonly effect?: Effect;
  /** Judged by the rules of an older version and not yet anew: among the incomplete ones. Absent where there are none. */
  readonly oldVerdicts?: number;
  /** What came after notes that were judged, shown against withheld. */
  readonly after: Readonly<Record<AfterMeasure, Comparison>>;
  /** Judged notes about a failure, and those after which a later session of the project failed that way. */
  readonly cameBack: { readonly shown: Rate; readonly withheld: Rate };
}

export interface StatsGroup extends StatsFigures {
  /** The id of the lesson or project, the agent, or the Monday of the week. */
  readonly key: string;
  /** The slug, or the name of the project. */
  readonly name: string;
}

export interface LessonGroup extends StatsGroup {
  /** Two times. It says nothing about what the lesson prevented: more than the lesson may have changed. */
  readonly beforeAfter?: BeforeAfter;
}

/** A share with what it was counted from. */
export interface Share extends Rate {
  /** Absent where nothing was counted. */
  readonly share?: number;
  /** Wilson's 95 % interval. */
  readonly interval?: readonly [low: number, high: number];
}

export interface BeforeAfter {
  readonly before: Share;
  readonly after: Share;
}

export interface Recurrence extends BeforeAfter {
  readonly lessons: number;
}

export interface Priorities {
  readonly active: number;
  readonly levels: Readonly<Record<Level, number>>;
  /** More than half are CRITICAL: then nothing is. */
  readonly isInflated: boolean;
}

/** A token is taken as four bytes. */
export interface Added {
  readonly bytes: number;
  readonly tokens: number;
  readonly kinds: readonly (AddedCount & { readonly tokens: number })[];
}

export interface StatsReport {
  readonly since?: string;
  /** Calls and failures, as `start`, `failures` and `backtest` count them; absent where one lesson was asked for. */
  readonly calls?: FailureCounts;
  /** All that was added to conversations, by kind; absent where one lesson was asked for. */
  readonly added?: Added;
  /** Lessons that were shown at all. */
  readonly lessons: number;
  readonly totals: StatsFigures;
  /** Lessons whose effect is certain in its direction, and those where it is not. */
  readonly effects: { readonly helpful: number; readonly harmful: number; readonly unclear: number };
  /** Absent where no lesson met a call. */
  readonly latency?: LatencyFigures;
  readonly missed: { readonly total: number; readonly reasons: readonly MissCount[] };
  readonly recurrence?: Recurrence;
  readonly priorities: Priorities;
  readonly feedback: Readonly<Record<FeedbackSource, Readonly<Record<FeedbackVerdict, number>>>>;
  /** Most shown first; weeks newest first. */
  readonly by: {
    readonly lesson: readonly LessonGroup[];
    readonly project: readonly StatsGroup[];
    readonly agent: readonly StatsGroup[];
    readonly week: readonly StatsGroup[];
  };
}
