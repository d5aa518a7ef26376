/**
 * The zod schema of an agent event, as adapters and transcript readers report it. An event stays in memory, because its
 * text is not redacted yet.
 */

import * as z from 'zod';
import type { AgentEvent } from '../../base/model/event.ts';
import { TOOL_NAMES } from '../../base/model/tool.ts';
import type { Same } from '../../base/records.ts';

const text = z.string();
const ms = z.number().min(0);

const origin = {
  agent: text,
  sessionId: text,
  contextId: text.describe('Sub-agent; empty for the main conversation.'),
  at: text.describe('An ISO time.'),
  source: z.enum(['hook', 'transcript']),
  cwd: text.exactOptional(),
  branch: text.exactOptional(),
  repository: text.exactOptional(),
  commit: text.exactOptional(),
  model: text.exactOptional(),
  agentVersion: text.exactOptional(),
  pid: z.int().exactOptional(),
  host: text.exactOptional(),
  transcriptPath: text.exactOptional(),
  line: z.int().min(1).exactOptional(),
};

const input = z.strictObject({
  command: text.exactOptional(),
  path: text.exactOptional(),
  content: text.exactOptional(),
  json: text,
  more: text.exactOptional(),
  parameters: z.record(text, text).exactOptional(),
});

const result = z.strictObject({
  isError: z.boolean(),
  exitCode: z.number().exactOptional(),
  text,
  denied: z
    .strictObject({
      by: z.enum(['user', 'rule', 'hook', 'oncebitten']).exactOptional(),
      words: text.exactOptional(),
    })
    .exactOptional(),
  cancelled: z.boolean().exactOptional(),
  background: z.boolean().exactOptional(),
  unended: z.boolean().exactOptional(),
  durationMs: ms.exactOptional(),
  pairedMs: ms.exactOptional(),
  gapMs: ms.exactOptional(),
});

/** The canonical name of a tool, for the schemas of captured data. */
export const toolSchema = z.union([z.enum(TOOL_NAMES), z.templateLiteral(['mcp:', z.string()])]);

const started = { callId: text, tool: toolSchema, rawTool: text, input };
const count = z.int().min(0);
const tokens = z.strictObject({ input: count, cached: count, output: count });
const ended = { ...started, result, tokens: tokens.exactOptional() };
const START = ['startup', 'resume', 'clear', 'compact', 'fork', 'unknown'] as const;
const kind = <K extends AgentEvent['kind']>(name: K) => ({ ...origin, kind: z.literal(name) });

export const eventSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...kind('call-started'),
    ...started,
    subagentType: text.exactOptional(),
    startedAs: text.exactOptional(),
  }),
  z.strictObject({ ...kind('call-ended'), ...ended }),
  z.strictObject({ ...kind('call-returned'), ...ended }),
  z.strictObject({ ...kind('batch-ended'), calls: z.array(z.strictObject(ended)).readonly() }),
  z.strictObject({ ...kind('background-ended'), ...ended }),
  z.strictObject({ ...kind('session-started'), start: z.enum(START) }),
  z.strictObject({ ...kind('session-ended'), reason: text }),
  z.strictObject({ ...kind('prompted'), text }),
  z.strictObject({ ...kind('said'), text }),
  z.strictObject(kind('interrupted')),
  z.strictObject(kind('turn-ended')),
  z.strictObject({ ...kind('subagent-started'), subagentType: text }),
  z.strictObject({ ...kind('subagent-ended'), subagentType: text }),
  z.strictObject(kind('compacting')),
  z.strictObject(kind('compacted')),
]);

export const EVENT_SCHEMA_AGREES: Same<z.infer<typeof eventSchema>, AgentEvent> = true;
