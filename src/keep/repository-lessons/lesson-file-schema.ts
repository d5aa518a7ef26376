/** A lesson as it stands in a repository: what a reviewer needs, nothing that changes when it is only met again. */
import { z } from 'zod';
import { DELIVERY_MODES, LESSON_TYPES, type Lesson, ORIGIN_KINDS, type Origin } from '../../base/lesson.ts';
import { triggersSchema } from '../lesson-input-schema.ts';

export const LESSON_FILE_VERSION = 1;
export const LESSON_FILE_SCHEMA = 'oncebitten/lesson-file.schema.json';
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const MAX_SLUG_CHARS = 80;

type Field =
  | 'slug'
  | 'type'
  | 'summary'
  | 'mistake'
  | 'remediation'
  | 'body'
  | 'triggers'
  | 'priority'
  | 'mode'
  | 'tags';

/** What a lesson and its file have in common. */
export type LessonFileContent = Pick<Lesson, Field>;

export type ParsedLessonFile = LessonFileContent & {
  readonly origin?: Pick<Origin, 'kind' | 'by'>;
};

const words = z.string().max(4000);
const line = z.string().trim().min(1).max(300);
const body = z.union([
  z.strictObject({
    title: line,
    items: z.array(words).max(50).readonly(),
    format: z.enum(['ordered', 'unordered']).optional(),
  }),
  z.strictObject({ situation: words, action: words, rationale: words.optional(), example: words.optional() }),
  z.strictObject({
    risk: words,
    severity: words.optional(),
    detection: words.optional(),
    mitigation: words.optional(),
  }),
  z.strictObject({ constraint: words, rationale: words.optional(), validation: words.optional() }),
]);

export const lessonFileSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z
    .literal(LESSON_FILE_VERSION, 'is of another version of Oncebitten')
    .default(LESSON_FILE_VERSION)
    .describe('Of this format.'),
  slug: z
    .string()
    .regex(SLUG, 'is not small letters, figures and single dashes')
    .max(MAX_SLUG_CHARS)
    .describe('The name of the file without its ending.'),
  type: z.enum(LESSON_TYPES).default('warning'),
  summary: line.describe('The lesson in one line.'),
  mistake: words.default('').describe('What goes wrong and why.'),
  remediation: words.default('').describe('What to do, copy-pasteable.'),
  body: body.optional().describe('The same in parts.'),
  triggers: triggersSchema,
  priority: z.int().min(1).max(10).default(7).describe('Over 8 only once confirmed by who reads it.'),
  mode: z.enum(DELIVERY_MODES).default('note').describe('Other than note only once confirmed by who reads it.'),
  tags: z.array(z.string().min(1).max(80)).max(50).readonly().default([]),
  origin: z
    .strictObject({ kind: z.enum(ORIGIN_KINDS), by: z.string().min(1).max(200) })
    .optional()
    .describe('Where it comes from. Says nothing about trust.'),
  contentHash: z.string().max(100).optional().describe('Written by us; a file that was edited by hand has an old one.'),
});
