/** Priority and confidence of what was discovered, from observable facts. The weights are data: a user can set them. */
import type { Finding, Signal } from '../base/finding.ts';

export interface ScoringWeights {
  readonly priority: {
    readonly base: number;
    readonly seenOnce: number;
    readonly sessions: number;
    readonly projects: number;
    readonly signals: Readonly<Partial<Record<Signal, number>>>;
    /** A LOW lesson cannot reach the threshold: one that passed the back-test is at least this. */
    readonly activeMin: number;
  };
  readonly confidence: {
    readonly base: number;
    readonly sessions: number;
    readonly projects: number;
    readonly signals: Readonly<Partial<Record<Signal, number>>>;
    readonly min: number;
    readonly max: number;
  };
}

export const DEFAULT_WEIGHTS: ScoringWeights = {
  priority: {
    base: 3,
    seenOnce: -1,
    sessions: 2,
    projects: 1,
    signals: { hang: 1, 'silent-failure': 1, 'user-corrected': 1, 'fix-confirmed': 1 },
    activeMin: 4,
  },
  confidence: {
    base: 0.4,
    sessions: 0.1,
    projects: 0.1,
    signals: { 'error-fix-success': 0.2, 'user-corrected': 0.15, 'causal-words': 0.05, hang: 0.1 },
    min: 0.1,
    max: 0.95,
  },
};

export interface LessonFacts {
  readonly signals: Finding['signals'];
  readonly occurrences: number;
  readonly sessions: number;
  readonly projects: number;
}

export function toPriority(facts: LessonFacts, isActive: boolean, weights = DEFAULT_WEIGHTS): number {
  const { base, seenOnce, sessions, projects, signals, activeMin } = weights.priority;
  const sum =
    base +
    (facts.occurrences <= 1 ? seenOnce : 0) +
    (facts.sessions >= 2 ? sessions : 0) +
    (facts.projects >= 2 ? projects : 0) +
    sumOf(facts.signals, signals);
  return clamp(Math.round(sum), isActive ? activeMin : 1, 10);
}

export function toConfidence(facts: LessonFacts, weights = DEFAULT_WEIGHTS): number {
  const { base, sessions, projects, signals, min, max } = weights.confidence;
  const sum =
    base + (facts.sessions >= 2 ? sessions : 0) + (facts.projects >= 2 ? projects : 0) + sumOf(facts.signals, signals);
  return clamp(Math.round(sum * 100) / 100, min, max);
}

function sumOf(seen: readonly Signal[], weights: Readonly<Partial<Record<Signal, number>>>): number {
  return [...new Set(seen)].reduce((sum, signal) => sum + (weights[signal] ?? 0), 0);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
