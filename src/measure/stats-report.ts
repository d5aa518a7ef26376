/** The shape of `oncebitten stats --json`. Times are UTC; shares are from 0 to 1. */

import type { AddedCount, DeliveryOutcome } from '../base/model/delivery.ts';
import type { FeedbackSource, FeedbackVerdict } from '../base/model/feedback.ts';
import type { DeliveryMode, Level } from '../base/model/lesson.ts';
import type { AfterMeasure, LatencyFigures, MissCount } from '../base/statistics/delivery-counts.ts';
import type { Effect, Rate } from '../base/statistics/estimates.ts';
import type { FailureCounts } from '../base/statistics/failure-ledger.ts';

import type { Comparison } from './effects.ts';

/** `open`: not judged yet. */
export type OutcomeCounts = Readonly<Record<DeliveryOutcome | 'open', number>>;

/** Calls that worked although a note was shown or withheld at them, so that there was nothing to warn about. */
interface FalseAlarms {
  /** Calls whose end is known. */
  readonly calls: number;
  readonly worked: number;
  /** Absent without such calls. */
  readonly share?: number;
  /** Wilson's 95 % interval. */
  readonly interval?: readonly [low: number, high: number];
}

export interface StatsFigures {
  readonly shown: number;
  readonly withheld: number;
  /** Shown at calls, by delivery mode. */
  readonly modes: Readonly<Record<DeliveryMode, number>>;
  /** Shown at the start of a session: about no call, and never judged. */
  readonly atStart: number;
  /** Verdicts on those shown at calls. */
  readonly outcomes: OutcomeCounts;
  readonly withheldOutcomes: OutcomeCounts;
  readonly falseAlarms: FalseAlarms;
  /** The size of the shown lessons without the text around them; a token counts as four bytes. */
  readonly bytes: number;
  readonly tokens: number;
  /**
   * Shown against withheld at random; of several lessons, each weighs as often as it was withheld. Absent while either
   * arm has fewer than five verdicts.
   */
  readonly effect?: Effect;
  /** Verdicts by the rules of an older version; counted as incomplete. Absent if there are none. */
  readonly oldVerdicts?: number;
  /** Measures after judged notes, shown against withheld. */
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
  /** A comparison over time. It does not measure prevention, because other things may have changed too. */
  readonly beforeAfter?: BeforeAfter;
}

/** A share with its counts. */
export interface Share extends Rate {
  /** Absent if nothing was counted. */
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
  /** More than half are CRITICAL, so the level means nothing. */
  readonly isInflated: boolean;
}

/** A token counts as four bytes. */
export interface AddedTexts {
  readonly bytes: number;
  readonly tokens: number;
  readonly kinds: readonly (AddedCount & { readonly tokens: number })[];
}

export interface StatsReport {
  readonly since?: string;
  /** Calls and failures, as `start`, `failures` and `backtest` count them; absent for a single lesson. */
  readonly calls?: FailureCounts;
  /** All text added to conversations, by kind; absent for a single lesson. */
  readonly added?: AddedTexts;
  /** Lessons that were shown at least once. */
  readonly lessons: number;
  /** Lessons only. */
  readonly totals: StatsFigures;
  /** Known fixes shown or withheld at failures; absent if there were none. */
  readonly cures?: StatsFigures;
  /** Warnings shown or withheld before calls that failed in earlier sessions; absent if there were none. */
  readonly memory?: StatsFigures;
  /** Lessons by the direction of their effect, if it is certain. */
  readonly effects: { readonly helpful: number; readonly harmful: number; readonly unclear: number };
  /** Absent if no lesson was delivered or withheld. */
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
