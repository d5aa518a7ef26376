/** The settings file's shape. Help texts are in the schema, so that editors show them. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { DELIVERY_MODES } from '../base/lesson.ts';
import { DEFAULT_SETTINGS as D, type Settings } from '../base/settings.ts';
import { scoringSchema } from './scoring-schema.ts';

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const days = z.number().min(0).max(36_500);

const folder = z
  .string()
  .refine((path) => isAbsolute(path) || /^~(?=$|[/\\])/.test(path), 'write the folder out, from / or ~/ on');
const scanPaths = Object.fromEntries(
  Object.entries(D.scanPaths).map(([agent, none]) => [
    agent,
    z.array(folder).readonly().default(none).describe(`Folders with more sessions of ${agent}.`),
  ]),
);

export const settingsSchema = z.strictObject({
  injectionBudgetBytes: count
    .default(D.injectionBudgetBytes)
    .describe('Most bytes that are said at once; 0: no lesson speaks.'),
  maxLessonsPerInjection: count.default(D.maxLessonsPerInjection).describe('Most lessons at one call.'),
  minConfidence: share.default(D.minConfidence).describe('Lessons under this are kept and never shown.'),
  minPriority: z.int().min(1).max(10).default(D.minPriority).describe('Lessons under this are never shown.'),
  minScore: z.number().min(0).max(2).default(D.minScore).describe('A lesson that is not CRITICAL needs this score.'),
  compactionReinjectionThreshold: count
    .default(D.compactionReinjectionThreshold)
    .describe('After compaction, lessons of this priority or more may speak again.'),
  replyDeadlineMs: count.default(D.replyDeadlineMs).describe('Past this the agent goes on without a lesson.'),
  idleExitMinutes: z
    .number()
    .min(0)
    .default(D.idleExitMinutes)
    .describe('The daemon ends after so long without a call.'),
  dedup: z.enum(['context', 'session']).default(D.dedup).describe('A lesson speaks once per context or per session.'),
  delivery: z
    .strictObject({
      maxMode: z
        .enum(DELIVERY_MODES)
        .default(D.delivery.maxMode)
        .describe(
          'How far a lesson may go: note advises; pause refuses a call once and lets the retry pass; rewrite corrects its input; block refuses.',
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
    .describe('Folders that are never captured, with all that is in them.'),
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
      enabled: z.boolean().default(D.retention.enabled).describe('Remove what is old, once a day.'),
      textDays: days
        .default(D.retention.textDays)
        .describe('Days after which a call loses its text, counted from the call or its import, whichever is later.'),
      perProject: count
        .default(D.retention.perProject)
        .describe('Only so many calls of a project, the newest, keep their text.'),
      factDays: days
        .default(D.retention.factDays)
        .describe('Days after which a call is removed, counted from the call or its import, whichever is later.'),
    })
    .default(D.retention),
  drafts: z
    .strictObject({
      expireDays: days
        .default(D.drafts.expireDays)
        .describe('A draft that nobody reviewed and nothing confirmed is archived after so many days; 0: never.'),
    })
    .default(D.drafts),
  unused: z
    .strictObject({
      archiveDays: days
        .default(D.unused.archiveDays)
        .describe('A lesson that no person reviewed and that never spoke is archived after so many days; 0: never.'),
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
          'A lesson is withheld from this share of sessions, to measure what it changes; 0: never; at most 0.5, so that it is said as often as not. Never CRITICAL ones, your own, or those that hold calls back.',
        ),
      after: count.default(D.holdout.after).describe('… and only after it was shown so many times.'),
    })
    .default(D.holdout),
  promotion: z
    .strictObject({
      minEffectiveness: share
        .default(D.promotion.minEffectiveness)
        .describe('A lesson is proposed for promotion when this share of its judged deliveries stayed clean.'),
      minTasks: count.default(D.promotion.minTasks).describe('… and they were judged in so many sessions.'),
      minConfidence: share.default(D.promotion.minConfidence).describe('… and its confidence is this or more.'),
      maxPerFile: count
        .default(D.promotion.maxPerFile)
        .describe('Most lessons in one file: what is always read costs at every session.'),
      maxBytesPerFile: count.default(D.promotion.maxBytesPerFile).describe('Most bytes of lessons in one file.'),
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
