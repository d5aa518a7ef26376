/** A back-test as a person gets it: the figures, with names for what they are about. */
import type { LessonStatus } from '../../base/lesson.ts';
import type { BacktestReport, FalseAlarms, ProjectFigures } from '../../measure/backtest-report.ts';

export interface FullBacktest extends BacktestReport {
  readonly perProject: readonly NamedProjectFigures[];
  readonly worstFalseAlarms: readonly KnownFalseAlarms[];
  /** Where there are several: each replayed alone. */
  readonly agents?: Readonly<Record<string, BacktestReport>>;
  readonly history: BacktestHistory;
}

export interface BacktestHistory {
  /** `path`: what was named. `store`: what the store knows. `places`: it knows nothing, so where agents keep theirs. */
  readonly source: 'path' | 'store' | 'places';
  /** Sessions whose transcript is gone, from what the store kept of them. */
  readonly storedSessions: number;
  /** Calls that are left out: their text is gone too. */
  readonly withoutText: number;
  /** Calls before it are the past, and are not counted. */
  readonly since?: string;
  /** Only this project is counted. */
  readonly project?: string;
}

export interface NamedProjectFigures extends ProjectFigures {
  readonly name: string;
}

export interface KnownFalseAlarms extends FalseAlarms {
  readonly summary: string;
  /** The same lesson in the user's store; absent where that has none. */
  readonly stored?: { readonly id: string; readonly slug: string; readonly status: LessonStatus };
}
