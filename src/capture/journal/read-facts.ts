/**
 * Reads the facts of the spool and the journal, one in a line, and has their schema. A line that is not a fact of this
 * version is skipped (a torn line of a killed writer, a person's edit, a later version), because one bad line must never
 * hold up the facts after it. Fields that the schema does not know are no fault.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { DELIVERY_KINDS, SKIP_REASONS } from '../../base/model/delivery.ts';
import { FACT_VERSION, type Fact } from '../../base/model/fact.ts';
import { DELIVERY_MODES } from '../../base/model/lesson.ts';
import { parseRecord, type Same } from '../../base/records.ts';
import { toolSchema } from '../calls/event-schema.ts';

export interface Spooled {
  readonly facts: readonly Fact[];
  /** Some facts have a later version, so the file is left for a newer daemon. */
  readonly hasLater: boolean;
}

/** Lines that are not facts are left out. Throws if the file cannot be read. */
export function readSpooled(dir: string, name: string): Spooled {
  const lines = readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const facts = lines.map(parseFact).filter((fact) => fact !== undefined);
  return { facts, hasLater: facts.length < lines.length && lines.some(isLaterFact) };
}

/** Undefined for a line that is not a fact of this version. */
export function parseFact(line: string): Fact | undefined {
  const fact = parseRecord(line);
  return fact?.v === FACT_VERSION && factSchema.safeParse(fact).success ? (fact as unknown as Fact) : undefined;
}

/** A fact of a later version, which we must neither judge nor delete. */
function isLaterFact(line: string): boolean {
  const v = parseRecord(line)?.v;
  return typeof v === 'number' && v > FACT_VERSION;
}

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

const call = z.object({
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
  signature: z.object({ id: text, version: z.number(), template: text, program: text }).exactOptional(),
  inputHash: text.exactOptional(),
  inputSummary: text.exactOptional(),
  outputSummary: text.exactOptional(),
  program: text.exactOptional(),
  targetPath: text.exactOptional(),
  durationMs: z.number().exactOptional(),
  durationSource: z.enum(['agent', 'paired', 'gap']).exactOptional(),
  tokens: z.object({ input: z.int(), cached: z.int(), output: z.int() }).exactOptional(),
  intentKey: text.exactOptional(),
  occurredAt: time,
});

const delivery = z.object({
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

const session = z.object({
  agent: text,
  sessionId: text,
  pid: z.number(),
  host: text,
  lastSeenAt: time,
  cwd: text.exactOptional(),
  branch: text.exactOptional(),
});

export const factSchema = z.discriminatedUnion('kind', [
  z.object({ ...origin, kind: z.literal('call'), how: z.enum(['observed', 'hearsay']), call }),
  z.object({ ...origin, kind: z.literal('seen') }),
  z.object({ ...origin, kind: z.literal('ended'), reason: text }),
  z.object({ ...origin, kind: z.literal('delivered'), delivery }),
  z.object({
    ...origin,
    kind: z.literal('skipped'),
    contextId: text,
    callId: text,
    skipped: z.array(z.object({ lessonId: text, reason: z.enum(SKIP_REASONS) })).readonly(),
  }),
  z.object({
    ...origin,
    kind: z.literal('added'),
    contextId: text,
    callId: text,
    reply: z.enum(['note', 'refusal', 'rewrite']),
    bytes: z.number(),
    version: z.number().optional(),
  }),
  z.object({
    ...origin,
    kind: z.literal('briefed'),
    failures: z.array(text).readonly(),
    dead: z.array(session).readonly(),
  }),
]);

export const FACT_SCHEMA_AGREES: Same<z.infer<typeof factSchema>, Fact> = true;
