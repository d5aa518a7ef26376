/**
 * The zod schema of the settings file, the description of each setting, and the parser for a typed value. Help texts
 * are in the schema, so that editors show them and the command line says the same.
 */

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { SIGNALS, type Signal } from '../../base/model/finding.ts';
import { DELIVERY_MODES } from '../../base/model/lesson.ts';
import { DEFAULT_SETTINGS as D, DEFAULT_WEIGHTS, DETECTOR_NAMES, MODEL_PROVIDERS } from '../../base/model/settings.ts';
import { dropAbsent, parseJson } from '../../base/records.ts';

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const texts = z.array(z.string()).readonly();
const days = z.number().min(0).max(36_500);

const folder = z
  .string()
  .refine((path) => isAbsolute(path) || /^~(?=$|[/\\])/.test(path), 'give the whole path, from / or ~/ on');
const scanPaths = Object.fromEntries(
  Object.keys(D.scanPaths).map((agent) => [
    agent,
    z.array(folder).readonly().describe(`Folders with more sessions of ${agent}.`),
  ]),
);

const points = z.number().min(-10).max(10);
const step = z.number().min(-1).max(1);
const level = z.int().min(1).max(10);

const SIGNAL_HELP: Readonly<Record<Signal, string>> = {
  'error-fix-success': 'an error, a fix and a success followed each other',
  'fix-confirmed': 'the fix was seen to work',
  hang: 'the call hung or ran out of time',
  'silent-failure': 'the call failed without an error; with data-loss, the larger of the two counts',
  'data-loss': 'data was lost',
  'user-corrected': 'the user corrected the agent',
  'causal-words': 'a message says what caused the failure',
  'self-reported': 'the agent reported the mistake itself; with error-fix-success, the larger of the two counts',
  'retry-loop': 'the call was tried again and again',
  'self-diagnosis': 'the agent named its mistake',
  'stated-lesson': 'somebody stated the lesson as a rule',
};
const priority = group(DEFAULT_WEIGHTS.priority, {
  base: points.describe('Base priority of a learned lesson, before the values below are added.'),
  seenOnce: points.describe('Added if the mistake was seen only once.'),
  sessions: points.describe('Added if the mistake was seen in two or more sessions.'),
  projects: points.describe('Added if the mistake was seen in two or more projects.'),
  signals: toSignals(points, DEFAULT_WEIGHTS.priority.signals),
  activeMin: level.describe('Minimum once the trigger passed the back-test.'),
  repeatedMin: level.describe('Minimum after two repetitions in spite of the lesson.'),
  impactMin: level.describe('Minimum for a correction about deploying, releases, security, migrations or lost data.'),
  qualityMin: level.describe('Minimum for a correction about tests, reviews or checks.'),
});

const confidence = group(DEFAULT_WEIGHTS.confidence, {
  base: share.describe('Base confidence of a learned lesson, before the values below are added.'),
  sessions: step.describe('Added if the mistake was seen in two or more sessions.'),
  projects: step.describe('Added if the mistake was seen in two or more projects.'),
  signals: toSignals(step, DEFAULT_WEIGHTS.confidence.signals),
  selfReportedMin: share.describe('Minimum for a lesson that an agent reported.'),
  min: share.describe('Lower limit.'),
  max: share.describe('Upper limit.'),
});

export const settingsSchema = group(D, {
  injectionBudgetBytes: count.describe('Maximum bytes of lessons at one call; 0: no lesson is shown.'),
  maxLessonsPerInjection: count.describe('Maximum number of lessons at one call.'),
  minConfidence: share.describe('Lessons with less confidence are kept but never shown.'),
  minPriority: level.describe('Lessons with a lower priority are never shown.'),
  minScore: z
    .number()
    .min(0)
    .max(2)
    .describe('Lowest score at which a lesson fires on a call; CRITICAL lessons need none.'),
  compactionReinjectionThreshold: count.describe(
    'After compaction, lessons of this priority or higher may be shown again.',
  ),
  replyDeadlineMs: count.describe('After this time the agent continues without a lesson.'),
  idleExitMinutes: z.number().min(0).describe('The daemon ends after this time without a call.'),
  http: group(D.http, {
    enabled: z
      .boolean()
      .describe('The daemon answers programs of this user over HTTP on 127.0.0.1 (MCP), with a token.'),
  }),
  dedup: z.enum(['context', 'session']).describe('A lesson is shown once per context or once per session.'),
  delivery: group(D.delivery, {
    maxMode: z
      .enum(DELIVERY_MODES)
      .describe(
        'The most that a lesson may do. note: the agent reads it with the result of its call; pause: it holds the call back once, and the retry runs; rewrite: it corrects the call before it runs; block: it refuses the call every time.',
      ),
    knownFixes: z
      .boolean()
      .describe(
        'When a call fails as in an earlier session of the project, show the agent how that session got past it.',
      ),
    memory: z
      .boolean()
      .describe(
        'Warn the agent before it makes exactly the call that failed in an earlier session of the project and has not worked since.',
      ),
  }),
  selfReportProtocol: z
    .boolean()
    .describe(
      'Ask agents at the start of a session to report their own mistakes and the fixes (about 200 tokens each time).',
    ),
  privateProjects: texts.describe('Folders that are never captured, including everything in them.'),
  trackedTools: texts.describe(
    'Tools whose calls are kept (shell, edit, … , mcp:*); failures are kept whatever the tool.',
  ),
  detectorPlugins: z
    .array(z.string().regex(/^(?:\/|[A-Za-z]:[\\/])/, 'is not the whole path of a file'))
    .readonly()
    .describe('JavaScript modules with detectors of your own; they run as code of this program.'),
  detectorsOff: z
    .array(z.enum(DETECTOR_NAMES))
    .readonly()
    .describe('Detectors that learn nothing; lessons that they have learned stay.'),
  detection: group(D.detection, {
    retryLoopTries: z
      .int()
      .min(2)
      .max(12)
      .describe('A call was tried again and again when this many different attempts failed before one worked.'),
    hangSeconds: z
      .number()
      .min(1)
      .max(3_600)
      .describe('A command hung when it was stopped after this many seconds without output.'),
  }),
  autoScanIntervalHours: z
    .number()
    .min(0)
    .max(8_760)
    .describe(
      'Hours between two scans of all sessions by the daemon, which also reads sessions at its start and as they grow; 0: it reads none by itself.',
    ),
  maxCandidatesPerScan: z
    .int()
    .min(1)
    .describe('Maximum number of drafts that one review shows. It does not limit what a scan learns.'),
  scanPaths: group(D.scanPaths, scanPaths),
  scoring: group(DEFAULT_WEIGHTS, { priority, confidence }).refine(
    ({ confidence: { min, max } }) => min <= max,
    'confidence.min is over confidence.max',
  ),
  retention: group(D.retention, {
    enabled: z.boolean().describe('Remove old data once a day.'),
    textDays: days.describe(
      'Days after which a call loses its text, counted from the call or its import, whichever is later.',
    ),
    perProject: count.describe('Number of calls per project, newest first, that keep their text.'),
    factDays: days.describe(
      'Days after which a call is removed, counted from the call or its import, whichever is later.',
    ),
  }),
  drafts: group(D.drafts, {
    expireDays: days.describe('Days after which a draft that nobody reviewed or confirmed is archived; 0: never.'),
  }),
  unused: group(D.unused, {
    archiveDays: days.describe(
      'Days after which a lesson that no person reviewed and that never fired is archived; 0: never.',
    ),
  }),
  holdout: group(D.holdout, {
    share: z
      .number()
      .min(0)
      .max(0.5)
      .describe(
        'A lesson is withheld from this share of sessions, to measure what it changes; 0: never; at most 0.5, so that it is shown at least half of the time. Never CRITICAL lessons, your own, or those that pause calls.',
      ),
    after: count.describe('A lesson is withheld only after it was shown this many times.'),
  }),
  promotion: group(D.promotion, {
    minEffectiveness: share.describe(
      'A lesson is proposed for promotion only if agents avoided the mistake in this share of its measured cases.',
    ),
    minTasks: count.describe('A lesson is proposed for promotion only if it was measured in this many sessions.'),
    minConfidence: share.describe('A lesson is proposed for promotion only if its confidence is at least this.'),
    maxPerFile: count.describe('Maximum number of lessons in one file, because every session pays for them.'),
    maxBytesPerFile: count.describe('Maximum bytes of lessons in one file.'),
  }),
  skills: group(D.skills, {
    minLessons: count.describe(
      'When this many lessons with the same tool: tag can fire in a project, they are delivered together as one skill (0 = never).',
    ),
  }),
  models: group(D.models, {
    provider: z
      .enum(MODEL_PROVIDERS)
      .describe(
        'The language model that may read failed calls, redacted, and propose lessons. none: no model is asked; agent: a coding agent on this machine, with its own login; anthropic, openai: that API, or a server that speaks it, with the key in ANTHROPIC_API_KEY or OPENAI_API_KEY.',
      ),
    agent: z
      .enum(['', ...Object.keys(D.scanPaths)])
      .describe('For the provider agent: the coding agent to ask; empty: the first one that is found on this machine.'),
    model: z.string().describe("Name of the model; empty: the agent's own choice. The other providers need a name."),
    baseUrl: z
      .string()
      .regex(/^(?:https?:\/\/\S+)?$/)
      .describe('For the providers anthropic and openai: address of the server; empty: their own.'),
    auto: z.boolean().describe('Ask about one pack of failures in the background when a session ends.'),
    dailyTokens: count.describe('Maximum number of tokens a day, read and written; 0: nothing is asked.'),
    dailyUsd: z
      .number()
      .min(0)
      .max(1000)
      .describe('Maximum cost a day in US dollars, for providers that report the cost.'),
    packCharacters: z.int().min(2_000).max(200_000).describe('Maximum number of characters in one pack of failures.'),
    deadlineSeconds: z.int().min(10).max(3_600).describe('Seconds after which an unanswered question is given up.'),
  }),
  store: group(D.store, {
    url: z
      .string()
      .describe(
        'Address of the PostgreSQL server where a team stores its data (postgres://…); empty: Oncebitten uses a SQLite file in the data directory.',
      ),
  }),
});

/** An object of settings; a key that the file leaves out has its default. */
function group<T extends object>(
  defaults: T,
  keys: { readonly [K in keyof T]: z.ZodType<T[K], unknown> },
): z.ZodType<T, unknown> {
  const rows = Object.entries<z.ZodType>(keys).map(([key, schema]) => [key, schema.default(defaults[key as keyof T])]);
  return z.strictObject(Object.fromEntries(rows)) as unknown as z.ZodType<T, unknown>;
}

function toSignals(weight: z.ZodType<number, unknown>, defaults: Readonly<Record<Signal, number>>) {
  const rows = SIGNALS.map((one) => [one, weight.describe(`Added when ${SIGNAL_HELP[one]}.`)] as const);
  return group(defaults, Object.fromEntries(rows) as Record<Signal, typeof weight>);
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
  readonly pattern?: string;
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
  if (schema.enum !== undefined) {
    const named = schema.enum.filter((one) => one !== '');
    return `one of ${named.join(', ')}${named.length < schema.enum.length ? ', or empty' : ''}`;
  }
  if (schema.properties !== undefined) return 'a group of settings, in braces';
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') return 'a list of texts, as in ["a", "b"]';
  if (schema.pattern !== undefined) return 'an address that begins with http:// or https://, or empty';
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
