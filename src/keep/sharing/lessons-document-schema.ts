/** The zod schema of a file of lessons: what `lessons export` writes and `lessons import` reads. */
import * as z from 'zod';
import {
  ARCHIVAL_CAUSES,
  DELIVERY_MODES,
  LESSON_STATUSES,
  LESSON_TYPES,
  type Lesson,
  ORIGIN_KINDS,
  SCOPE_KINDS,
} from '../../base/model/lesson.ts';
import { makeBodySchema } from '../schemas/lesson-input-schema.ts';
import { storedTriggersSchema as triggers } from '../schemas/lesson-schema.ts';

export const LESSONS_SCHEMA_ID = 'oncebitten/lessons.schema.json';
export const LESSONS_VERSION = 1;

const text = (max: number) => z.string().max(max);
const time = z.iso.datetime({ offset: true });
const count = z.int().min(0);
const texts = z.array(text(300)).max(100);

const scope = z.object({ kind: z.enum(SCOPE_KINDS), id: text(200).optional() });

const evidence = z.object({
  agent: text(200),
  sessionId: text(200),
  file: text(4000).optional(),
  lines: z.tuple([count, count]).optional(),
  at: time,
  excerpt: text(1000).optional(),
});

const validity = z.object({
  models: texts,
  agentVersions: texts,
  refutedBy: texts.optional(),
  from: time.optional(),
  until: time.optional(),
  supersededBy: text(100).optional(),
});

const archival = z.object({
  cause: z.enum(ARCHIVAL_CAUSES),
  reason: text(1000),
  from: z.enum(LESSON_STATUSES).exclude(['archived']),
});

const history = z.object({ by: text(200), reason: text(4000), at: time });

/** Unknown keys are ignored, because a later version may have more. */
export const exportedLessonSchema = z.object({
  id: z.string().regex(/^les_\w{1,60}$/, 'is not the id of a lesson'),
  slug: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'is not in kebab-case')
    .max(80),
  type: z.enum(LESSON_TYPES),
  summary: z.string().trim().min(1).max(1000),
  mistake: text(8000),
  remediation: text(8000),
  body: makeBodySchema({ words: text(4000), items: z.array(text(4000)).max(100) }).optional(),
  triggers,
  priority: z.int().min(1).max(10),
  confidence: z.number().min(0).max(1),
  mode: z.enum(DELIVERY_MODES),
  status: z.enum(LESSON_STATUSES),
  needsReview: z.boolean(),
  scope,
  tags: texts,
  origin: z.object({
    kind: z.enum(ORIGIN_KINDS),
    by: text(200),
    trust: z.enum(['observed', 'stated', 'foreign']),
  }),
  evidence: z.array(evidence).max(100),
  signatureId: text(200).optional(),
  occurrences: count,
  sessions: count,
  projects: count,
  validity,
  archival: archival.optional(),
  learnedAs: z
    .array(z.object({ triggers, tags: texts, scope, remediation: text(8000) }))
    .max(100)
    .optional(),
  contentHash: text(100).optional(),
  createdAt: time,
  updatedAt: time,
  lastMatchedAt: time.optional(),
  reviewedBy: text(200).optional(),
  history: z.array(history).optional().describe('With --history; for people, not taken over by an import.'),
});

export const lessonsDocumentSchema = z.object({
  $schema: z.literal(LESSONS_SCHEMA_ID).optional(),
  type: z.literal('lessons'),
  version: z.literal(LESSONS_VERSION),
  lessons: z.array(exportedLessonSchema),
});

/** Without fields that have a meaning only on the machine where the lesson was learned. */
export type ExportedLesson = Omit<Lesson, 'provisional' | 'contentHash' | 'file' | 'measure'> & {
  readonly history?: readonly { readonly by: string; readonly reason: string; readonly at: string }[];
};

export interface LessonsDocument {
  readonly $schema: string;
  readonly type: 'lessons';
  readonly version: number;
  readonly lessons: readonly ExportedLesson[];
}
