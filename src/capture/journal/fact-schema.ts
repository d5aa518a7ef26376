/** The zod schema of a fact: one line of the spool or the journal. */
import * as z from 'zod';
import { DELIVERY_KINDS, SKIP_REASONS } from '../../base/model/delivery.ts';
import { FACT_VERSION, type Fact } from '../../base/model/fact.ts';
import { DELIVERY_MODES } from '../../base/model/lesson.ts';
import type { Same } from '../../base/records.ts';
import { toolSchema } from '../calls/event-schema.ts';

const text = z.string();
const time = z.string().describe('An ISO time.');

const origin = {
  v: z.number().describe(`This is version ${FACT_VERSION}.`),
  agent: text,
  sessionId: text,
  at: time,
  cwd: text.exactOptional(),
  pid: z.int().exactOptional(),
  host: text.exactOptional(),
  transcriptPath: text.exactOptional(),
};

const call = z.strictObject({
  agent: text,
  sessionId: text,
  contextId: text,
  callId: text,
  projectId: text,
  tool: toolSchema,
  rawTool: text,
  outcome: z.enum(['success', 'failure', 'partial', 'cancelled', 'denied']),
  outcomeType: text,
  exitCode: z.number().exactOptional(),
  masked: z.boolean(),
  message: text.exactOptional(),
  signature: z.strictObject({ id: text, version: z.number(), template: text, program: text }).exactOptional(),
  inputHash: text.exactOptional(),
  inputSummary: text.exactOptional(),
  outputSummary: text.exactOptional(),
  program: text.exactOptional(),
  targetPath: text.exactOptional(),
  durationMs: z.number().exactOptional(),
  durationSource: z.enum(['agent', 'paired', 'gap']).exactOptional(),
  tokens: z.strictObject({ input: z.int(), cached: z.int(), output: z.int() }).exactOptional(),
  intentKey: text.exactOptional(),
  occurredAt: time,
});

const delivery = z.strictObject({
  id: text,
  kind: z.enum(DELIVERY_KINDS),
  lessonId: text,
  agent: text,
  sessionId: text,
  contextId: text,
  callId: text,
  mode: z.enum(DELIVERY_MODES),
  arm: z.enum(['shown', 'holdout']),
  score: z.number(),
  bytes: z.number(),
  latencyUs: z.number(),
  deliveredAt: time,
  outcome: z.enum(['clean', 'failed_anyway', 'ignored', 'incomplete']).exactOptional(),
  outcomeAt: time.exactOptional(),
});

const session = z.strictObject({
  agent: text,
  sessionId: text,
  pid: z.number(),
  host: text,
  lastSeenAt: time,
  cwd: text.exactOptional(),
  branch: text.exactOptional(),
});

export const factSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...origin, kind: z.literal('call'), how: z.enum(['observed', 'hearsay']), call }),
  z.strictObject({ ...origin, kind: z.literal('seen') }),
  z.strictObject({ ...origin, kind: z.literal('ended'), reason: text }),
  z.strictObject({ ...origin, kind: z.literal('delivered'), delivery }),
  z.strictObject({
    ...origin,
    kind: z.literal('unsaid'),
    contextId: text,
    callId: text,
    unsaid: z.array(z.strictObject({ lessonId: text, reason: z.enum(SKIP_REASONS) })).readonly(),
  }),
  z.strictObject({
    ...origin,
    kind: z.literal('added'),
    contextId: text,
    callId: text,
    reply: z.enum(['note', 'refusal', 'rewrite']),
    bytes: z.number(),
    version: z.number().optional(),
  }),
  z.strictObject({
    ...origin,
    kind: z.literal('briefed'),
    failures: z.array(text).readonly(),
    dead: z.array(session).readonly(),
  }),
]);

export const FACT_SCHEMA_AGREES: Same<z.infer<typeof factSchema>, Fact> = true;
