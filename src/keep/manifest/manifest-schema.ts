/** The zod schema of the manifest: its header and its lessons. */
import * as z from 'zod';
import { DELIVERY_MODES } from '../../base/model/lesson.ts';
import {
  type CompiledLesson,
  DIMENSIONS,
  type Dimension,
  type IndexBranch,
  type IndexNode,
  MANIFEST_VERSION,
  type ManifestHeader,
} from '../../base/model/manifest.ts';
import type { Same } from '../../base/records.ts';
import { sessionConditionSchema, triggersSchema } from '../schemas/lesson-input-schema.ts';
import { commandEditSchema } from '../schemas/lesson-schema.ts';
import { settingsSchema } from '../settings/settings-schema.ts';

const texts = z.array(z.string()).readonly();
const count = z.int().min(0);

const lesson = z.strictObject({
  id: z.string(),
  slug: z.string(),
  priority: z.number().min(1).max(10),
  confidence: z.number().min(0).max(1),
  mode: z.enum(DELIVERY_MODES),
  projectId: z.string().exactOptional(),
  sessionId: z.string().exactOptional(),
  notIn: texts.exactOptional(),
  triggers: triggersSchema,
  pathRegexes: texts.exactOptional(),
  exceptRegexes: texts.exactOptional(),
  forms: z
    .strictObject({
      action: texts.exactOptional(),
      context: texts.exactOptional(),
      except: texts.exactOptional(),
    })
    .exactOptional(),
  signatureId: z.string().exactOptional(),
  langs: texts.exactOptional(),
  measured: z.number().exactOptional(),
  quietUntil: z.string().exactOptional(),
  withheld: z.number().min(0).max(1).exactOptional(),
  dense: z.string().exactOptional(),
  isQuotation: z.literal(true).exactOptional(),
  isProposed: z.literal(true).exactOptional(),
  edit: commandEditSchema.exactOptional(),
  why: z.string().exactOptional(),
  summary: z.string(),
  text: z.string().describe('The rendered lesson.'),
  short: z.string().describe('The short text for the start of a session.').exactOptional(),
});

const indexNode: z.ZodType<IndexNode> = z.lazy(() =>
  z.strictObject({
    here: z.array(count).readonly().exactOptional(),
    ...(Object.fromEntries(DIMENSIONS.map((by) => [by, branch.exactOptional()])) as Record<
      Dimension,
      z.ZodExactOptional<typeof branch>
    >),
  }),
);
const branch: z.ZodType<IndexBranch> = z.lazy(() =>
  z.record(z.string(), z.union([z.array(count).readonly(), indexNode])),
);

const header = z.strictObject({
  $schema: z.string(),
  type: z.literal('manifest'),
  version: z.number().describe(`This is version ${MANIFEST_VERSION}.`),
  generatedAt: z.string(),
  settings: settingsSchema,
  aliases: z.record(z.string(), z.string()).exactOptional(),
  asks: z.array(sessionConditionSchema).readonly().exactOptional(),
  protocol: z.string().exactOptional(),
  protocolVersion: count.exactOptional(),
  stacks: z.record(z.string(), texts).exactOptional(),
  seed: z.string().exactOptional(),
  openings: z
    .record(z.string(), z.strictObject({ learned: z.string().exactOptional(), waiting: z.string().exactOptional() }))
    .exactOptional(),
  skills: z
    .record(z.string(), z.strictObject({ head: z.string(), lessons: z.array(count).readonly() }))
    .exactOptional(),
  count,
  index: indexNode.describe('Properties of a call -> numbers of the lessons that may match it.'),
  keys: z.record(z.string(), z.array(count).readonly()).describe('Key -> numbers of the lessons under it.'),
  offsets: z.array(count).readonly().describe('Where each lesson begins, in bytes after the header block.'),
});

export const manifestSchema = header.extend({ lessons: z.array(lesson).readonly() });

export const COMPILED_SCHEMA_AGREES: Same<z.infer<typeof lesson>, CompiledLesson> = true;
export const HEADER_SCHEMA_AGREES: Same<z.infer<typeof header>, ManifestHeader> = true;
