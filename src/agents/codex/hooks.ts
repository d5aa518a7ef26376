/**
 * The adapter for Codex's hooks: parses hook payloads into events, and writes replies and the probe payload that tests an
 * installed hook. Codex drops a whole reply for one key that it does not know, so a reply has exactly the keys of its
 * schema. Hooks are not told how a command ended: only the rollout holds its exit code, so the end of a command is left to
 * `history.ts`.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOrigin, SessionStart, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { cutText } from '../call-texts.ts';
import { findText, type Wire } from '../wire.ts';
import { toPatchCall, toPlainCall, toShellCall, toToolName } from './calls.ts';
import { facts } from './facts.ts';

type Reader = (wire: Wire, origin: EventOrigin) => AgentEvent | undefined;

const READERS = new Map<string, Reader>([
  ['PreToolUse', readStart],
  ['PostToolUse', readEnd],
  ['SessionStart', (wire, origin) => ({ ...origin, kind: 'session-started', start: toSessionStart(wire) })],
  ['SessionEnd', (wire, origin) => ({ ...origin, kind: 'session-ended', reason: findText(wire, 'reason') ?? 'other' })],
  ['UserPromptSubmit', readPrompt],
  ['Stop', (_wire, origin) => ({ ...origin, kind: 'turn-ended' })],
  ['SubagentStart', (wire, origin) => readSubagent(wire, origin, 'subagent-started')],
  ['SubagentStop', (wire, origin) => readSubagent(wire, origin, 'subagent-ended')],
  ['PreCompact', (_wire, origin) => ({ ...origin, kind: 'compacting' })],
  ['PostCompact', (_wire, origin) => ({ ...origin, kind: 'compacted' })],
]);

const STARTS: readonly SessionStart[] = ['startup', 'resume', 'clear', 'compact', 'fork'];

const EVENT_NAMES: Readonly<Record<HookReply['to'], string>> = {
  'call-started': 'PreToolUse',
  'session-started': 'SessionStart',
  'subagent-started': 'SubagentStart',
};

export const codex: AgentAdapter = {
  facts,
  // No `rewrite`: Codex takes a changed input only together with a permission to run it, and that is the user's to give.
  modes: ['note', 'pause', 'block'],
  readHook,
  readCall: toCall,
  writeProbe,
  writeHook,
};

function readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  const sessionId = isRecord(wire) ? findText(wire, 'session_id') : undefined;
  if (!isRecord(wire) || sessionId === undefined) return undefined;
  return READERS.get(findText(wire, 'hook_event_name') ?? eventName)?.(wire, toOrigin(wire, sessionId, at));
}

function toOrigin(wire: Wire, sessionId: string, at: string): EventOrigin {
  return {
    agent: facts.id,
    sessionId,
    contextId: findText(wire, 'agent_id') ?? '',
    at,
    source: 'hook',
    ...dropAbsent({
      cwd: findText(wire, 'cwd'),
      model: findText(wire, 'model'),
      // The end of a sub-agent names two rollouts: the calls are in the sub-agent's own.
      transcriptPath: findText(wire, 'agent_transcript_path') ?? findText(wire, 'transcript_path'),
    }),
  };
}

function readStart(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  const subagentType = origin.contextId === '' ? undefined : findText(wire, 'agent_type');
  return call && { ...origin, kind: 'call-started', ...call, ...dropAbsent({ subagentType }) };
}

/**
 * Only the end of a patch is told for certain: the hook does not run for a patch that failed. A command may have failed,
 * and the tools of servers and others tell it in words only.
 */
function readEnd(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  if (call?.tool !== 'edit') return undefined;
  const text = typeof wire.tool_response === 'string' ? wire.tool_response : '';
  return { ...origin, kind: 'call-ended', ...call, result: { isError: false, text: cutText(text) } };
}

/** The task of a sub-agent comes as a prompt, too; no person wrote it. */
function readPrompt(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const text = findText(wire, 'prompt');
  return text === undefined || origin.contextId !== '' ? undefined : { ...origin, kind: 'prompted', text };
}

function readSubagent(wire: Wire, origin: EventOrigin, kind: 'subagent-started' | 'subagent-ended') {
  const subagentType = findText(wire, 'agent_type');
  return subagentType === undefined || origin.contextId === '' ? undefined : { ...origin, kind, subagentType };
}

function toSessionStart(wire: Wire): SessionStart {
  return STARTS.find((start) => start === wire.source) ?? 'unknown';
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
  const hookEventName = EVENT_NAMES[reply.to];
  if (reply.kind !== 'refusal')
    return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: reply.context } });
  const { notice: systemMessage, reason: permissionDecisionReason } = reply;
  return JSON.stringify({
    systemMessage,
    hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
  });
}

/** A PreToolUse payload as Codex sends it. */
function writeProbe(command: string, cwd: string): { readonly eventName: string; readonly wire: string } {
  const eventName = 'PreToolUse';
  const payload = {
    session_id: 'oncebitten-probe',
    turn_id: 'oncebitten-probe',
    transcript_path: null,
    cwd,
    hook_event_name: eventName,
    model: '',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'oncebitten-probe',
  };
  return { eventName, wire: `${JSON.stringify(payload)}\n` };
}
