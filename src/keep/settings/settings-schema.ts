/**
 * The zod schema of the settings file, the description of each setting, and the parser for a typed value. Help texts
 * are in the schema, so that editors show them and the command line says the same.
 */

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { SIGNALS, type Signal } from '../../base/model/finding.ts';
import { DELIVERY_MODES } from '../../base/model/lesson.ts';
import {
  DEFAULT_SETTINGS as D,
  DEFAULT_WEIGHTS,
  type ScoringWeights,
  type Settings,
} from '../../base/model/settings.ts';
import { dropAbsent, parseJson } from '../../base/records.ts';

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const days = z.number().min(0).max(36_500);

const folder = z
  .string()
  .refine((path) => isAbsolute(path) || /^~(?=$|[/\\])/.test(path), 'give the whole path, from / or ~/ on');
const scanPaths = Object.fromEntries(
  Object.entries(D.scanPaths).map(([agent, none]) => [
    agent,
    z.array(folder).readonly().default(none).describe(`Folders with more sessions of ${agent}.`),
  ]),
);

const points = z.number().min(-10).max(10);

const SIGNAL_HELP: Readonly<Record<Signal, string>> = {
  'error-fix-success': 'an error, a fix and a success followed each other',
  'fix-confirmed': 'the fix was seen to work',
  hang: 'it hung or ran out of time',
  'silent-failure': 'it failed without saying so; with data-loss, the larger of the two counts',
  'data-loss': 'data was lost',
  'user-corrected': 'the user corrected it',
  'causal-words': 'words say what caused it',
  'self-reported': 'the agent reported it itself; with error-fix-success, the larger of the two counts',
  'retry-loop': 'it was tried again and again',
  'self-diagnosis': 'the agent named its mistake',
  'stated-lesson': 'somebody stated it as a rule',
};
const level = z.int().min(1).max(10);

const priority = z.strictObject({
  base: points
    .default(DEFAULT_WEIGHTS.priority.base)
    .describe('Base priority of a learned lesson, before the values below are added.'),
  seenOnce: points.default(DEFAULT_WEIGHTS.priority.seenOnce).describe('Added if the mistake was seen only once.'),
  sessions: points
    .default(DEFAULT_WEIGHTS.priority.sessions)
    .describe('Added if the mistake was seen in two or more sessions.'),
  projects: points
    .default(DEFAULT_WEIGHTS.priority.projects)
    .describe('Added if the mistake was seen in two or more projects.'),
  signals: toSignals(points, DEFAULT_WEIGHTS.priority.signals),
  activeMin: level
    .default(DEFAULT_WEIGHTS.priority.activeMin)
    .describe('Minimum once the trigger passed the back-test.'),
  repeatedMin: level
    .default(DEFAULT_WEIGHTS.priority.repeatedMin)
    .describe('Minimum after two repetitions in spite of the lesson.'),
  impactMin: level
    .default(DEFAULT_WEIGHTS.priority.impactMin)
    .describe('Minimum for a correction about deploying, releases, security, migrations or lost data.'),
  qualityMin: level
    .default(DEFAULT_WEIGHTS.priority.qualityMin)
    .describe('Minimum for a correction about tests, reviews or checks.'),
});
const step = z.number().min(-1).max(1);

const confidence = z.strictObject({
  base: share.default(DEFAULT_WEIGHTS.confidence.base).describe('Base confidence of a learned lesson.'),
  sessions: step
    .default(DEFAULT_WEIGHTS.confidence.sessions)
    .describe('Added if the mistake was seen in two or more sessions.'),
  projects: step
    .default(DEFAULT_WEIGHTS.confidence.projects)
    .describe('Added if the mistake was seen in two or more projects.'),
  signals: toSignals(step, DEFAULT_WEIGHTS.confidence.signals),
  selfReportedMin: share
    .default(DEFAULT_WEIGHTS.confidence.selfReportedMin)
    .describe('Minimum for a lesson that an agent reported.'),
  min: share.default(DEFAULT_WEIGHTS.confidence.min).describe('Lower limit.'),
  max: share.default(DEFAULT_WEIGHTS.confidence.max).describe('Upper limit.'),
});

/** The weights of priority and confidence as a part of the settings. */
const scoringSchema = z
  .strictObject({
    priority: priority.default(DEFAULT_WEIGHTS.priority),
    confidence: confidence.default(DEFAULT_WEIGHTS.confidence),
  })
  .refine(({ confidence: { min, max } }) => min <= max, 'confidence.min is over confidence.max')
  .default(DEFAULT_WEIGHTS) satisfies z.ZodType<ScoringWeights, unknown>;

export const settingsSchema = z.strictObject({
  injectionBudgetBytes: count
    .default(D.injectionBudgetBytes)
    .describe('Maximum bytes of lessons at one call; 0: no lesson is shown.'),
  maxLessonsPerInjection: count.default(D.maxLessonsPerInjection).describe('Maximum number of lessons at one call.'),
  minConfidence: share.default(D.minConfidence).describe('Lessons with less confidence are kept but never shown.'),
  minPriority: z.int().min(1).max(10).default(D.minPriority).describe('Lessons with a lower priority are never shown.'),
  minScore: z.number().min(0).max(2).default(D.minScore).describe('A lesson that is not CRITICAL needs this score.'),
  compactionReinjectionThreshold: count
    .default(D.compactionReinjectionThreshold)
    .describe('After compaction, lessons of this priority or higher may be shown again.'),
  replyDeadlineMs: count.default(D.replyDeadlineMs).describe('After this time the agent continues without a lesson.'),
  idleExitMinutes: z
    .number()
    .min(0)
    .default(D.idleExitMinutes)
    .describe('The daemon ends after this time without a call.'),
  dedup: z
    .enum(['context', 'session'])
    .default(D.dedup)
    .describe('A lesson is shown once per context or once per session.'),
  delivery: z
    .strictObject({
      maxMode: z
        .enum(DELIVERY_MODES)
        .default(D.delivery.maxMode)
        .describe(
          'The most that a lesson may do. note: the agent reads it with the result of its call; pause: it holds the call back once, and the retry runs; rewrite: it corrects the call before it runs; block: it refuses the call every time.',
        ),
      knownFixes: z
        .boolean()
        .default(D.delivery.knownFixes)
        .describe(
          'When a call fails as in an earlier session of the project, show the agent how that session got past it.',
        ),
      memory: z
        .boolean()
        .default(D.delivery.memory)
        .describe(
          'Warn the agent before it makes exactly the call that failed in an earlier session of the project and has not worked since.',
        ),
    })
    .default(D.delivery),
  selfReportProtocol: z
    .boolean()
    .default(D.selfReportProtocol)
    .describe('Ask agents at the start of a session to write lessons down (about 200 tokens each time).'),
  privateProjects: z
    .array(z.string())
    .readonly()
    .default(D.privateProjects)
    .describe('Folders that are never captured, including everything in them.'),
  trackedTools: z
    .array(z.string())
    .readonly()
    .default(D.trackedTools)
    .describe('Tools whose calls are kept (shell, edit, … , mcp:*); failures are kept whatever the tool.'),
  detectorPlugins: z
    .array(z.string().regex(/^(?:\/|[A-Za-z]:[\\/])/, 'is not the whole path of a file'))
    .readonly()
    .default(D.detectorPlugins)
    .describe('JavaScript modules with detectors of your own; they run as code of this program.'),
  autoScanIntervalHours: z
    .number()
    .min(0)
    .max(8_760)
    .default(D.autoScanIntervalHours)
    .describe(
      'The daemon reads new sessions at its start, as they grow, and so often all of them; 0: never by itself.',
    ),
  maxCandidatesPerScan: z
    .int()
    .min(1)
    .default(D.maxCandidatesPerScan)
    .describe('Maximum number of drafts that one review shows. It does not limit what a scan learns.'),
  scanPaths: z.strictObject(scanPaths).default(D.scanPaths),
  scoring: scoringSchema,
  retention: z
    .strictObject({
      enabled: z.boolean().default(D.retention.enabled).describe('Remove old data once a day.'),
      textDays: days
        .default(D.retention.textDays)
        .describe('Days after which a call loses its text, counted from the call or its import, whichever is later.'),
      perProject: count
        .default(D.retention.perProject)
        .describe('Number of calls per project, newest first, that keep their text.'),
      factDays: days
        .default(D.retention.factDays)
        .describe('Days after which a call is removed, counted from the call or its import, whichever is later.'),
    })
    .default(D.retention),
  drafts: z
    .strictObject({
      expireDays: days
        .default(D.drafts.expireDays)
        .describe('Days after which a draft that nobody reviewed or confirmed is archived; 0: never.'),
    })
    .default(D.drafts),
  unused: z
    .strictObject({
      archiveDays: days
        .default(D.unused.archiveDays)
        .describe('Days after which a lesson that no person reviewed and that never fired is archived; 0: never.'),
    })
    .default(D.unused),
  holdout: z
    .strictObject({
      share: z
        .number()
        .min(0)
        .max(0.5)
        .default(D.holdout.share)
        .describe(
          'A lesson is withheld from this share of sessions, to measure what it changes; 0: never; at most 0.5, so that it is shown at least half of the time. Never CRITICAL lessons, your own, or those that pause calls.',
        ),
      after: count.default(D.holdout.after).describe('… and only after it was shown this many times.'),
    })
    .default(D.holdout),
  promotion: z
    .strictObject({
      minEffectiveness: share
        .default(D.promotion.minEffectiveness)
        .describe('A lesson is proposed for promotion when this share of its judged deliveries stayed clean.'),
      minTasks: count.default(D.promotion.minTasks).describe('… and they were judged in this many sessions.'),
      minConfidence: share.default(D.promotion.minConfidence).describe('… and its confidence is at least this.'),
      maxPerFile: count
        .default(D.promotion.maxPerFile)
        .describe('Maximum number of lessons in one file, because every session pays for them.'),
      maxBytesPerFile: count.default(D.promotion.maxBytesPerFile).describe('Maximum bytes of lessons in one file.'),
    })
    .default(D.promotion),
  skills: z
    .strictObject({
      minLessons: count
        .default(D.skills.minLessons)
        .describe(
          'When this many lessons with the same tool: tag can fire in a project, they are delivered together as one skill (0 = never).',
        ),
    })
    .default(D.skills),
  store: z
    .strictObject({ url: z.string().default(D.store.url).describe('postgres://… for a team; empty for SQLite here.') })
    .default(D.store),
}) satisfies z.ZodType<Settings, unknown>;

function toSignals(weight: typeof points, defaults: Readonly<Record<Signal, number>>) {
  const rows = SIGNALS.map(
    (one) => [one, weight.default(defaults[one]).describe(`Added when ${SIGNAL_HELP[one]}.`)] as const,
  );
  return z.strictObject(Object.fromEntries(rows) as Record<Signal, z.ZodDefault<typeof points>>).default(defaults);
}

interface SettingFacts {
  readonly help: string;
  /** `a number from 0 to 1` */
  readonly type: string;
  readonly kind: 'text' | 'list' | 'other';
  readonly min?: number;
  readonly max?: number;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

let root: Schema | undefined;

/** The help and the allowed values of a setting, taken from the schema, so that both agree. */
export function describeSetting(path: readonly string[]): SettingFacts {
  root ??= z.toJSONSchema(settingsSchema, { io: 'input' }) as Schema;
  const schema = path.reduce<Schema>((inner, part) => inner.properties?.[part] ?? {}, root);
  const { minimum: min } = schema;
  // Integers have this bound by default.
  const max = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  return {
    help: schema.description ?? '',
    type: renderType(schema, min, max),
    kind: schema.type === 'string' ? 'text' : schema.type === 'array' ? 'list' : 'other',
    ...dropAbsent({ min, max }),
  };
}

function renderType(schema: Schema, min: number | undefined, max: number | undefined): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (schema.properties !== undefined) return 'a group of settings, in braces';
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') return 'a list of texts, as in ["a", "b"]';
  if (schema.type === 'string') return 'a text';
  const number = schema.type === 'integer' ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${number} from ${min} to ${max}`;
  return min === undefined ? number : `${number}, at least ${min}`;
}

/** Parses what a person typed for a setting or put into its variable: as JSON if it is JSON, else as text. */
export function parseSetting(path: readonly string[], text: string): unknown {
  const value = parseJson(text);
  // For a text setting, only quoted JSON counts, so that a number stays text.
  if (describeSetting(path).kind === 'text' && typeof value !== 'string') return text;
  return value === undefined ? text : value;
}
