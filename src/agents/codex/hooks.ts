/**
 * The adapter for Codex's hooks: parses hook payloads into events, and writes replies and the probe payload that tests
 * an installed hook. Codex drops a whole reply for one unknown key, so a reply has exactly the keys of its schema. Hook
 * payloads do not contain the exit code of a command, only the rollout does, so the end of a command is left to
 * `history.ts`.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOrigin, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import { EVENT_NAMES, type HookReader, renderProbe, SESSION_READERS, toHookOrigin, writeNote } from '../hook-events.ts';
import { findText, type Wire } from '../wire.ts';
import { toPatchCall, toPlainCall, toShellCall, toToolName } from './calls.ts';
import { facts } from './facts.ts';

const READERS = new Map<string, HookReader>([
  ['PreToolUse', readStart],
  ['PostToolUse', readEnd],
  ['UserPromptSubmit', readPrompt],
  ...SESSION_READERS,
]);

export const codex: AgentAdapter = {
  facts,
  capabilities: {
    // No `rewrite`: Codex accepts a changed input only together with a permission to run it, which is the user's to give.
    beforeCall: ['note', 'pause', 'block'],
    withResult: 'no errors',
    knownFixes: 'none',
    sessionStart: true,
    subagents: 'greeted',
    calls: 'session file',
    exitCodes: 'session file',
  },
  readHook,
  readCall: toCall,
  writeProbe: (command, cwd) => {
    const turn = { turn_id: 'oncebitten-probe', model: '', permission_mode: 'default' };
    return renderProbe({ ...turn, transcript_path: null, cwd, tool_input: { command } });
  },
  writeHook,
};

function readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  const sessionId = isRecord(wire) ? findText(wire, 'session_id') : undefined;
  if (!isRecord(wire) || sessionId === undefined) return undefined;
  return READERS.get(findText(wire, 'hook_event_name') ?? eventName)?.(
    wire,
    toHookOrigin(facts.id, wire, sessionId, at),
  );
}

function readStart(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  const subagentType = origin.contextId === '' ? undefined : findText(wire, 'agent_type');
  return call && { ...origin, kind: 'call-started', ...call, ...dropAbsent({ subagentType }) };
}

/**
 * Only the end of a patch is certain, because the hook does not run for a patch that failed. A command may have failed,
 * and other tools report a failure only in words.
 */
function readEnd(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  if (call?.tool !== 'edit') return undefined;
  const text = typeof wire.tool_response === 'string' ? wire.tool_response : '';
  return { ...origin, kind: 'call-ended', ...call, result: { isError: false, text: cutText(text) } };
}

/** The task of a sub-agent arrives as a prompt, too, but no person wrote it. */
function readPrompt(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const text = findText(wire, 'prompt');
  return text === undefined || origin.contextId !== '' ? undefined : { ...origin, kind: 'prompted', text };
}

function findCall(wire: Wire): StartedCall | undefined {
  const rawTool = findText(wire, 'tool_name');
  return rawTool === undefined ? undefined : toCall(rawTool, wire.tool_input, findText(wire, 'tool_use_id') ?? '');
}

function toCall(rawTool: string, input: unknown, callId: string): StartedCall {
  const command = isRecord(input) ? input.command : undefined;
  const tool = toToolName(rawTool);
  if (tool === 'shell') return toShellCall(callId, rawTool, command);
  if (tool === 'edit' && typeof command === 'string') return toPatchCall(callId, command);
  return toPlainCall(callId, rawTool, input);
}

function writeHook(reply: HookReply): string {
  if (reply.kind !== 'refusal') return writeNote({ kind: 'note', to: reply.to, context: reply.context });
  const hookEventName = EVENT_NAMES[reply.to];
  const { notice: systemMessage, reason: permissionDecisionReason } = reply;
  return JSON.stringify({
    systemMessage,
    hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
  });
}
