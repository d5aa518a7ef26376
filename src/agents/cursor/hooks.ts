/**
 * The adapter for the hooks in Cursor's own settings, from the code of its hook engine (`@cursor/sdk` 1.0.32), not from
 * a recording. Cursor logs an empty reply as a failed hook, refuses a call whose hook prints no JSON, and drops a text
 * that is too long, so every reply is an object and texts are cut. A failing command is a success to Cursor.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOrigin, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { cutText, toStartedCall } from '../calls.ts';
import type { HookReader } from '../hook-events.ts';
import { BY_USER, CANCELLED } from '../refusals.ts';
import { findNumber, findText, type Wire } from '../wire.ts';
import { CALL_FACTS, findFolder, findHookResult, findSubagent } from './calls.ts';
import { facts } from './facts.ts';

const READERS = new Map<string, HookReader>([
  ['preToolUse', readStart],
  ['postToolUse', readDone],
  ['postToolUseFailure', readFailure],
  ['beforeSubmitPrompt', readPrompt],
  // Cursor names no source; it reports a session once, when it begins.
  ['sessionStart', (_wire, origin) => ({ ...origin, kind: 'session-started', start: 'startup' })],
  ['sessionEnd', (wire, origin) => ({ ...origin, kind: 'session-ended', reason: findText(wire, 'reason') ?? 'other' })],
  ['stop', (_wire, origin) => ({ ...origin, kind: 'turn-ended' })],
  ['preCompact', (_wire, origin) => ({ ...origin, kind: 'compacting' })],
]);

export const cursor: AgentAdapter = {
  facts,
  capabilities: {
    beforeCall: ['note', 'pause', 'rewrite', 'block'],
    withResult: 'all',
    knownFixes: 'all',
    sessionStart: true,
    subagents: 'named',
    calls: 'hooks',
    exitCodes: '0 or 1',
  },
  readHook,
  readCall: (rawTool, input, callId) => toStartedCall(CALL_FACTS, rawTool, input, callId),
  writeProbe: (command, cwd) => {
    const ids = {
      conversation_id: 'oncebitten-probe',
      session_id: 'oncebitten-probe',
      tool_use_id: 'oncebitten-probe',
    };
    const eventName = 'preToolUse';
    const wire = {
      ...ids,
      hook_event_name: eventName,
      workspace_roots: [cwd],
      cwd,
      tool_name: 'Shell',
      tool_input: { command },
    };
    return { to: 'call-started', eventName, wire: `${JSON.stringify(wire)}\n` };
  },
  writeHook,
  silence: '{}',
};

function readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  const sessionId = isRecord(wire) ? (findText(wire, 'session_id') ?? findText(wire, 'conversation_id')) : undefined;
  if (!isRecord(wire) || sessionId === undefined) return undefined;
  const origin: EventOrigin = {
    agent: facts.id,
    sessionId,
    contextId: '',
    ...findSubagent({ ...wire, session_id: sessionId }),
    at,
    source: 'hook',
    ...dropAbsent({ cwd: findText(wire, 'cwd') ?? findFolder(wire), model: findText(wire, 'model') }),
  };
  return READERS.get(findText(wire, 'hook_event_name') ?? eventName)?.(wire, origin);
}

function readStart(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  return call && { ...origin, kind: 'call-started', ...call };
}

function readDone(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  const result = call && findHookResult(call.tool, wire);
  return result && { ...origin, kind: 'call-ended', ...call, result };
}

/** Timeouts, tools that could not start, interrupts and refusals. */
function readFailure(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  if (call === undefined) return undefined;
  const text = cutText(findText(wire, 'error_message') ?? '');
  const meaning = wire.is_interrupt === true ? CANCELLED : wire.failure_type === 'permission_denied' ? BY_USER : {};
  const durationMs = findNumber(wire, 'duration');
  return {
    ...origin,
    kind: 'call-ended',
    ...call,
    result: dropAbsent({ isError: true, text, durationMs, ...meaning }),
  };
}

function readPrompt(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const text = findText(wire, 'prompt');
  return text === undefined ? undefined : { ...origin, kind: 'prompted', text };
}

function findCall(wire: Wire): StartedCall | undefined {
  const [rawTool, callId] = [findText(wire, 'tool_name'), findText(wire, 'tool_use_id')];
  return rawTool === undefined || callId === undefined
    ? undefined
    : toStartedCall(CALL_FACTS, rawTool, wire.tool_input, callId);
}

/** Cursor drops a longer text whole. */
const MAX_NOTE_CHARS = 10_000;

function writeHook(reply: HookReply): string {
  if (reply.kind === 'refusal')
    return JSON.stringify({ permission: 'deny', agent_message: reply.reason, user_message: reply.notice });
  const additional_context = cutText(reply.context, MAX_NOTE_CHARS);
  if (reply.kind === 'note') return JSON.stringify({ additional_context });
  // Without a permission: the user is asked as before.
  const updated_input = { ...JSON.parse(reply.input), command: reply.command };
  return JSON.stringify({ updated_input, additional_context, user_message: reply.notice });
}
