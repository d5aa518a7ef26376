/** The weights of priority and confidence as a part of the settings. */
import { z } from 'zod';
import { SIGNALS, type Signal } from '../base/finding.ts';
import { DEFAULT_WEIGHTS as D, type ScoringWeights } from '../base/scoring-weights.ts';

const points = z.number().min(-10).max(10);
const level = z.int().min(1).max(10);
const step = z.number().min(-1).max(1);
const share = z.number().min(0).max(1);

const SAID: Readonly<Record<Signal, string>> = {
  'error-fix-success': 'an error, a fix and a success followed each other',
  'fix-confirmed': 'the fix was seen to work',
  hang: 'it hung or ran out of time',
  'silent-failure': 'it failed without saying so; with data-loss, the larger of the two counts',
  'data-loss': 'data was lost',
  'user-corrected': 'the user corrected it',
  'causal-words': 'words say what caused it',
  'self-reported': 'the agent reported it itself; with error-fix-success, the larger of the two counts',
  'retry-loop': 'it was tried again and again',
  'self-diagnosis': 'the agent said what had been wrong',
  'stated-lesson': 'it was said outright as a rule',
};

function toSignals(weight: typeof points, defaults: Readonly<Record<Signal, number>>) {
  const rows = SIGNALS.map((one) => [one, weight.default(defaults[one]).describe(`Added when ${SAID[one]}.`)] as const);
  return z.strictObject(Object.fromEntries(rows) as Record<Signal, z.ZodDefault<typeof points>>).default(defaults);
}

const priority = z.strictObject({
  base: points.default(D.priority.base).describe('Priority of anything that was learned, before the rest is added.'),
  seenOnce: points.default(D.priority.seenOnce).describe('Added when it was seen once only.'),
  sessions: points.default(D.priority.sessions).describe('Added when two sessions or more met it.'),
  projects: points.default(D.priority.projects).describe('Added when two projects or more met it.'),
  signals: toSignals(points, D.priority.signals),
  activeMin: level.default(D.priority.activeMin).describe('At least this once its trigger passed the back-test.'),
  repeatedMin: level.default(D.priority.repeatedMin).describe('At least this when it was repeated twice all the same.'),
  impactMin: level
    .default(D.priority.impactMin)
    .describe('At least this for a correction about deploying, releases, security, migrations or lost data.'),
  qualityMin: level
    .default(D.priority.qualityMin)
    .describe('At least this for a correction about tests, reviews or checks.'),
});

const confidence = z.strictObject({
  base: share.default(D.confidence.base).describe('Confidence of anything that was learned.'),
  sessions: step.default(D.confidence.sessions).describe('Added when two sessions or more met it.'),
  projects: step.default(D.confidence.projects).describe('Added when two projects or more met it.'),
  signals: toSignals(step, D.confidence.signals),
  selfReportedMin: share
    .default(D.confidence.selfReportedMin)
    .describe('What an agent reported itself is at least this.'),
  min: share.default(D.confidence.min).describe('Never less.'),
  max: share.default(D.confidence.max).describe('Never more.'),
});

export const scoringSchema = z
  .strictObject({ priority: priority.default(D.priority), confidence: confidence.default(D.confidence) })
  .refine(({ confidence: { min, max } }) => min <= max, 'confidence.min is over confidence.max')
  .default(D) satisfies z.ZodType<ScoringWeights, unknown>;
