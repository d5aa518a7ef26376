/**
 * The adapter for Claude Code's hooks: parses hook payloads into events, and writes replies and the probe payload that
 * tests an installed hook. A reply has exactly the keys that Claude Code expects: it silently drops a wrong event name
 * or a context at the top level, and a permission key in a note would decide in the user's place.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, CallAuthor, EndedCall, EventOrigin } from '../../base/model/event.ts';
import { isRecord } from '../../base/records.ts';
import { EVENT_NAMES, type HookReader, makeHookReader, renderProbe, SESSION_READERS } from '../hook-events.ts';
import { findNumber, findText, toWires, type Wire } from '../wire.ts';
import { readCall } from './calls.ts';
import { facts } from './facts.ts';
import { findGuest, isForeignCaller } from './guests.ts';
import { findConversationFile, isFromHook, parseConversation } from './last-messages.ts';
import { isHumanPrompt } from './prompts.ts';
import { parseNotification, toDoneResult, toReportedResult } from './results.ts';
import { isToolWire, type ToolWire } from './wire.ts';

const READERS = new Map<string, HookReader>([
  ['PreToolUse', readStart],
  ['PostToolUse', readDone],
  ['PostToolUseFailure', readFailure],
  ['PostToolBatch', readBatch],
  ['UserPromptSubmit', readPrompt],
  ...SESSION_READERS,
]);
const readOwn = makeHookReader(facts.id, READERS);

export const claudeCode: AgentAdapter = {
  facts,
  capabilities: {
    beforeCall: ['note', 'pause', 'rewrite', 'block'],
    withResult: 'all',
    knownFixes: 'all',
    sessionStart: true,
    subagents: 'greeted',
    calls: 'hooks',
    exitCodes: 'hooks',
  },
  readHook,
  readCall,
  writeProbe: (command, cwd) => renderProbe({ transcript_path: '', cwd, tool_input: { command } }),
  writeHook,
  findGuest,
  conversation: { findFile: findConversationFile, parse: parseConversation, isFromHook },
};

export function readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  return isRecord(wire) && isForeignCaller(wire) ? undefined : readOwn(eventName, wire, at);
}

function readStart(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  if (!isToolWire(wire)) return undefined;
  return { ...origin, kind: 'call-started', ...toCall(wire), ...toAuthor(wire, origin) };
}

/** Without an agent id, the type names the main conversation, which is not a sub-agent. */
function toAuthor(wire: Wire, { contextId }: EventOrigin): CallAuthor {
  const type = findText(wire, 'agent_type');
  if (type === undefined) return {};
  return contextId === '' ? { startedAs: type } : { subagentType: type };
}

function readDone(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  if (!isToolWire(wire)) return undefined;
  const call = toCall(wire);
  const result = toDoneResult(call.tool, wire.tool_response, findNumber(wire, 'duration_ms'));
  return { ...origin, kind: 'call-ended', ...call, result };
}

function readFailure(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  if (!isToolWire(wire)) return undefined;
  const reported = toReportedResult({
    isError: true,
    content: wire.error,
    durationMs: findNumber(wire, 'duration_ms'),
  });
  const result = wire.is_interrupt === true ? { ...reported, cancelled: true } : reported;
  return { ...origin, kind: 'call-ended', ...toCall(wire), result };
}

function readBatch(wire: Wire, origin: EventOrigin): AgentEvent {
  const calls = toWires(wire.tool_calls)
    .filter(isToolWire)
    .map((call): EndedCall => ({ ...toCall(call), result: toReportedResult({ content: call.tool_response }) }));
  return { ...origin, kind: 'batch-ended', calls };
}

function readPrompt(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const text = findText(wire, 'prompt') ?? '';
  const end = parseNotification(text);
  if (end?.callId !== undefined) {
    const { callId, call, result } = end;
    return { ...origin, kind: 'background-ended', callId, ...call, input: { json: '' }, result };
  }
  return isHumanPrompt(text, findText(wire, 'source')) ? { ...origin, kind: 'prompted', text } : undefined;
}

function toCall(wire: ToolWire) {
  return readCall(wire.tool_name, wire.tool_input, findText(wire, 'tool_use_id') ?? '');
}

/** Puts a reply into the fields that Claude Code reads for the event; a note's text is its `additionalContext`. */
function writeHook(reply: HookReply): string {
  return JSON.stringify({
    systemMessage: reply.kind === 'note' ? undefined : reply.notice,
    hookSpecificOutput: { hookEventName: EVENT_NAMES[reply.to], ...toSpecificOutput(reply) },
  });
}

/** A corrected input replaces the whole input and grants no permission: the user is asked as before. */
function toSpecificOutput(reply: HookReply) {
  if (reply.kind === 'note') return { additionalContext: reply.context };
  if (reply.kind === 'refusal') return { permissionDecision: 'deny', permissionDecisionReason: reply.reason };
  const { input, command, context } = reply;
  return { updatedInput: { ...JSON.parse(input), command }, additionalContext: context };
}
