/** Priority and confidence of what was discovered, from observable facts. */
import type { Finding, Signal } from '../../base/model/finding.ts';
import { LOWEST_PRIORITY } from '../../base/model/lesson.ts';
import { DEFAULT_WEIGHTS, type ScoringWeights } from '../../base/model/settings.ts';
import type { Impact } from './find-impact.ts';

export interface LessonFacts {
  readonly signals: Finding['signals'];
  readonly occurrences: number;
  readonly sessions: number;
  readonly projects: number;
  /** What its words are about. */
  readonly impact?: Impact | undefined;
  /** How often it happened again although the lesson was there. */
  readonly repeats?: number;
}

/** So often in spite of the lesson, and it is CRITICAL. */
const MANY_REPEATS = 2;

export function toPriority(facts: LessonFacts, isActive: boolean, weights: ScoringWeights = DEFAULT_WEIGHTS): number {
  const { base, seenOnce, sessions, projects, signals } = weights.priority;
  const sum =
    base +
    (facts.occurrences <= 1 ? seenOnce : 0) +
    (facts.sessions >= 2 ? sessions : 0) +
    (facts.projects >= 2 ? projects : 0) +
    sumOf(facts.signals, signals);
  const once = clamp(Math.round(sum), toFloor(facts, isActive, weights), 10);
  return facts.signals.includes('user-corrected') ? raise(once, facts.occurrences - 1) : once;
}

/** The lowest priorities of the levels that a user's words can have. */
const LEVELS_SAID: readonly number[] = [LOWEST_PRIORITY.MEDIUM, LOWEST_PRIORITY.HIGH, LOWEST_PRIORITY.CRITICAL];

/** Whenever a user has to say it again, it is one level more important: the third time it is CRITICAL. */
function raise(priority: number, times: number): number {
  const level = LEVELS_SAID.filter((lowest) => priority >= lowest).length;
  return Math.max(priority, LEVELS_SAID[Math.min(Math.max(level - 1, 0) + times, LEVELS_SAID.length - 1)] ?? priority);
}

function toFloor(facts: LessonFacts, isActive: boolean, { priority }: ScoringWeights): number {
  const isCorrected = facts.signals.includes('user-corrected');
  return Math.max(
    1,
    isActive ? priority.activeMin : 1,
    (facts.repeats ?? 0) >= MANY_REPEATS ? priority.repeatedMin : 1,
    isCorrected && facts.impact === 'impact' ? priority.impactMin : 1,
    isCorrected && facts.impact === 'quality' ? priority.qualityMin : 1,
  );
}

export function toConfidence(facts: LessonFacts, weights: ScoringWeights = DEFAULT_WEIGHTS): number {
  const { base, sessions, projects, signals, min, max, selfReportedMin } = weights.confidence;
  const sum =
    base + (facts.sessions >= 2 ? sessions : 0) + (facts.projects >= 2 ? projects : 0) + sumOf(facts.signals, signals);
  const floor = facts.signals.includes('self-reported') ? Math.min(max, Math.max(min, selfReportedMin)) : min;
  return clamp(Math.round(sum * 100) / 100, floor, max);
}

type Counts = Pick<LessonFacts, 'occurrences' | 'sessions' | 'projects'>;

interface Score {
  readonly priority: number;
  readonly confidence: number;
}

/** Priority and confidence after the counts changed, by what the change alone adds or takes away. */
export function rescore(score: Score, before: Counts, after: Counts, weights: ScoringWeights = DEFAULT_WEIGHTS): Score {
  const toFacts = (counts: Counts): LessonFacts => ({ ...counts, signals: [] });
  const priority = toPriority(toFacts(after), false, weights) - toPriority(toFacts(before), false, weights);
  const confidence = toConfidence(toFacts(after), weights) - toConfidence(toFacts(before), weights);
  const { min, max } = weights.confidence;
  return {
    priority: clamp(score.priority + priority, 1, 10),
    confidence: clamp(Math.round((score.confidence + confidence) * 100) / 100, min, max),
  };
}

/** Of these only the one that weighs most counts: they are one row of the formula. */
const ONE_ROW: readonly (readonly Signal[])[] = [
  ['data-loss', 'silent-failure'],
  ['error-fix-success', 'self-reported'],
];

function sumOf(seen: readonly Signal[], weights: Readonly<Record<Signal, number>>): number {
  const signals = new Set(seen);
  const spare = ONE_ROW.flatMap((row) =>
    row
      .filter((signal) => signals.has(signal))
      .sort((a, b) => weights[b] - weights[a])
      .slice(1),
  );
  return [...signals].filter((signal) => !spare.includes(signal)).reduce((sum, signal) => sum + weights[signal], 0);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
