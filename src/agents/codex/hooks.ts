/**
 * The adapter for Codex's hooks: parses hook payloads into events, and writes replies and the probe payload that tests
 * an installed hook. Codex drops a whole reply for one unknown key, so a reply has exactly the keys of its schema. Hook
 * payloads do not contain the exit code of a command; Codex writes it into the rollout before it runs the hook, and
 * `ending` takes it from there.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOf, EventOrigin, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord, parseRecord } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import {
  EVENT_NAMES,
  type HookReader,
  makeHookReader,
  renderProbe,
  SESSION_READERS,
  writeNote,
} from '../hook-events.ts';
import { findText, findWire, type Wire } from '../wire.ts';
import { toPatchCall, toPlainCall, toShellCall, toToolName } from './calls.ts';
import { facts } from './facts.ts';
import { toCommandFacts, toFactsResult } from './results.ts';

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
    knownFixes: 'commands',
    sessionStart: true,
    subagents: 'greeted',
    calls: 'hooks',
    exitCodes: 'session file',
  },
  readHook: makeHookReader(facts.id, READERS),
  readCall: toCall,
  writeProbe: (command, cwd) => {
    const turn = { turn_id: 'oncebitten-probe', model: '', permission_mode: 'default' };
    return renderProbe({ ...turn, transcript_path: null, cwd, tool_input: { command } });
  },
  ending: { complete: completeEnd },
  writeHook,
};

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
  if (call?.tool !== 'edit' && call?.tool !== 'shell') return undefined;
  const text = typeof wire.tool_response === 'string' ? wire.tool_response : '';
  const kind = call.tool === 'edit' ? 'call-ended' : 'call-returned';
  return { ...origin, kind, ...call, result: { isError: false, text: cutText(text) } };
}

/** The row about the end of the command is among the last of the rollout. */
function completeEnd(event: EventOf<'call-returned'>, tail: string): EventOf<'call-ended'> | undefined {
  if (event.callId === '') return undefined;
  const lines = tail.split('\n').filter((line) => line.includes(event.callId) && line.includes(COMMAND_ITEM));
  const item = lines.map(findItem).findLast((one) => one?.type === COMMAND_ITEM && one.id === event.callId);
  return item && { ...event, kind: 'call-ended', result: toFactsResult(toCommandFacts(item)) };
}

const COMMAND_ITEM = 'CommandExecution';

function findItem(line: string): Wire | undefined {
  const payload = findWire(parseRecord(line) ?? {}, 'payload');
  return payload && findWire(payload, 'item');
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
  if (reply.kind !== 'refusal') {
    const note = { kind: 'note', to: reply.to, context: reply.context } as const;
    return writeNote(note, reply.to === 'call-ended' ? EVENT_NAMES['call-returned'] : undefined);
  }
  const hookEventName = EVENT_NAMES[reply.to];
  const { notice: systemMessage, reason: permissionDecisionReason } = reply;
  return JSON.stringify({
    systemMessage,
    hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
  });
}
