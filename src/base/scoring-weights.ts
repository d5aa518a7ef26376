/** What each observable fact adds to priority and confidence. Data: a user can set every figure. */
import type { Signal } from './finding.ts';

export interface ScoringWeights {
  readonly priority: {
    readonly base: number;
    readonly seenOnce: number;
    readonly sessions: number;
    readonly projects: number;
    readonly signals: Readonly<Record<Signal, number>>;
    /** A LOW lesson cannot reach the threshold: one that passed the back-test is at least this. */
    readonly activeMin: number;
    /** At least this once it was repeated twice although the lesson was there. */
    readonly repeatedMin: number;
    /** At least this when a user corrected something that deploys, publishes or can lose data. */
    readonly impactMin: number;
    /** At least this when a user corrected something about tests, reviews or checks. */
    readonly qualityMin: number;
  };
  readonly confidence: {
    readonly base: number;
    readonly sessions: number;
    readonly projects: number;
    readonly signals: Readonly<Record<Signal, number>>;
    /** What an agent reported itself is at least this. */
    readonly selfReportedMin: number;
    readonly min: number;
    readonly max: number;
  };
}

const NOTHING: Readonly<Record<Signal, number>> = {
  'error-fix-success': 0,
  'fix-confirmed': 0,
  hang: 0,
  'silent-failure': 0,
  'data-loss': 0,
  'user-corrected': 0,
  'causal-words': 0,
  'self-reported': 0,
  'retry-loop': 0,
  'self-diagnosis': 0,
  'stated-lesson': 0,
};

export const DEFAULT_WEIGHTS: ScoringWeights = {
  priority: {
    base: 3,
    seenOnce: -1,
    sessions: 2,
    projects: 1,
    signals: {
      ...NOTHING,
      hang: 1,
      'silent-failure': 1,
      'data-loss': 1,
      'user-corrected': 1,
      'fix-confirmed': 1,
      'self-reported': 1,
    },
    activeMin: 4,
    repeatedMin: 9,
    impactMin: 9,
    qualityMin: 7,
  },
  confidence: {
    base: 0.4,
    sessions: 0.1,
    projects: 0.1,
    signals: {
      ...NOTHING,
      'error-fix-success': 0.2,
      'self-reported': 0.25,
      'user-corrected': 0.15,
      'causal-words': 0.05,
      'retry-loop': 0.1,
      hang: 0.1,
      'self-diagnosis': 0.05,
    },
    selfReportedMin: 0.85,
    min: 0.1,
    max: 0.95,
  },
};
