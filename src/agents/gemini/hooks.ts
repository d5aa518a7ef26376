/**
 * The adapter for Gemini CLI's hooks: parses hook payloads into events, and writes replies and the probe payload that
 * tests an installed hook. Gemini CLI drops text that a hook gives before a call, so notes come with the result of the
 * call. Its calls have no id, so the chat file reports them; a hook's report of a call is only answered.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOrigin, StartedCall } from '../../base/model/event.ts';
import { toStartedCall } from '../calls.ts';
import { type HookReader, makeHookReader, SESSION_READERS, writeNote } from '../hook-events.ts';
import { findText, findWire, type Wire } from '../wire.ts';
import { CALL_FACTS } from './calls.ts';
import { facts } from './facts.ts';
import { findPrompt } from './prompts.ts';
import { toHookResult } from './results.ts';

const READERS = new Map<string, HookReader>([
  ['BeforeTool', readStart],
  ['AfterTool', readReturn],
  ['BeforeAgent', readPrompt],
  ['AfterAgent', (_wire, origin) => ({ ...origin, kind: 'turn-ended' })],
  ...SESSION_READERS,
]);

export const gemini: AgentAdapter = {
  facts,
  capabilities: {
    beforeCall: ['pause', 'rewrite', 'block'],
    withResult: 'no errors',
    knownFixes: 'commands',
    sessionStart: true,
    subagents: 'unmarked',
    calls: 'session file',
    exitCodes: 'hooks',
  },
  readHook: makeHookReader(facts.id, READERS),
  readCall: (rawTool, input, callId) => toStartedCall(CALL_FACTS, rawTool, input, callId),
  writeProbe: (command, cwd) => {
    const eventName = 'AfterTool';
    const ids = { session_id: 'oncebitten-probe', transcript_path: '', hook_event_name: eventName };
    const call = { tool_name: 'run_shell_command', tool_input: { command } };
    const wire = { ...ids, cwd, timestamp: '', ...call, tool_response: { llmContent: '', returnDisplay: '' } };
    return { to: 'call-returned', eventName, wire: `${JSON.stringify(wire)}\n` };
  },
  writeHook,
};

function readStart(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  return call && { ...origin, kind: 'call-started', ...call };
}

function readReturn(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  const response = findWire(wire, 'tool_response') ?? {};
  return call && { ...origin, kind: 'call-returned', ...call, result: toHookResult(call.tool, response) };
}

function readPrompt(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const text = findPrompt({ content: wire.prompt });
  return text === undefined ? undefined : { ...origin, kind: 'prompted', text };
}

/** The names of a server and its tool are apart in the payload, but joined in the name of the tool. */
function findCall(wire: Wire): StartedCall | undefined {
  const rawTool = findText(wire, 'tool_name');
  if (rawTool === undefined) return undefined;
  const call = toStartedCall(CALL_FACTS, rawTool, wire.tool_input, '');
  const mcp = findWire(wire, 'mcp_context') ?? {};
  const [server, tool] = [findText(mcp, 'server_name'), findText(mcp, 'tool_name')];
  return server === undefined || tool === undefined ? call : { ...call, tool: `mcp:${server}/${tool}` };
}

function writeHook(reply: HookReply): string {
  if (reply.kind === 'refusal')
    return JSON.stringify({ decision: 'deny', reason: reply.reason, systemMessage: reply.notice });
  if (reply.kind === 'rewrite') {
    // Gemini CLI takes these as the whole input, and asks the user for permission afterwards.
    const changed = { ...JSON.parse(reply.input), command: reply.command };
    const hookSpecificOutput = { hookEventName: 'BeforeTool', tool_input: changed };
    return JSON.stringify({ systemMessage: reply.notice, hookSpecificOutput });
  }
  const eventName = NOTE_EVENTS[reply.to];
  return eventName === undefined ? '' : writeNote(reply, eventName);
}

/** The events with whose reply the model reads a note. */
const NOTE_EVENTS: Readonly<Partial<Record<HookReply['to'], string>>> = {
  'session-started': 'SessionStart',
  'call-returned': 'AfterTool',
};
