/**
 * The adapter for what our plugin in OpenCode reports (`program.ts`), and the replies that the plugin carries out. The
 * names of the events and the shapes of the replies are our own.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOrigin, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import type { HookReader } from '../hook-events.ts';
import { findText, findWire, type Wire } from '../wire.ts';
import { readToolCall } from './calls.ts';
import { facts } from './facts.ts';
import { findResult, toDoneResult } from './results.ts';

const READERS = new Map<string, HookReader>([
  ['tool-before', readStart],
  ['tool-after', readDone],
  ['tool-failed', readFailure],
  ['chat-message', readPrompt],
  ['session-created', readSession],
  ['session-compacted', (_wire, origin) => ({ ...origin, kind: 'session-started', start: 'compact' })],
  ['session-idle', (_wire, origin) => ({ ...origin, kind: 'turn-ended' })],
]);

export const opencode: AgentAdapter = {
  facts,
  capabilities: {
    beforeCall: ['pause', 'rewrite', 'block'],
    withResult: 'all',
    knownFixes: 'all',
    sessionStart: true,
    subagents: 'greeted',
    calls: 'hooks',
    exitCodes: 'hooks',
  },
  readHook,
  readCall: readToolCall,
  writeProbe: (command, cwd) => {
    const ids = { sessionID: 'oncebitten-probe', callID: 'oncebitten-probe', tool: 'bash' };
    const wire = { directory: cwd, ...ids, args: { command }, output: '', metadata: { exit: 0 } };
    return { to: 'call-ended', eventName: 'tool-after', wire: `${JSON.stringify(wire)}\n` };
  },
  writeHook,
};

function readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  const sessionId = isRecord(wire) ? findText(wire, 'sessionID') : undefined;
  if (!isRecord(wire) || sessionId === undefined) return undefined;
  const [cwd, model] = [findText(wire, 'directory'), findText(wire, 'model')];
  // A sub-agent has a session of its own, as in the history.
  const origin: EventOrigin = {
    agent: facts.id,
    sessionId,
    contextId: '',
    at,
    source: 'hook',
    ...dropAbsent({ cwd, model }),
  };
  return READERS.get(eventName)?.(wire, origin);
}

function readStart(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire, wire.args);
  return call && { ...origin, kind: 'call-started', ...call };
}

function readDone(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire, wire.args);
  if (call === undefined) return undefined;
  const output = findText(wire, 'output') ?? '';
  const result = toDoneResult(call.rawTool, output, findWire(wire, 'metadata') ?? {});
  return { ...origin, kind: 'call-ended', ...call, result };
}

/** No hook of OpenCode runs after a call that failed; its event bus reports it. */
function readFailure(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const state = findWire(wire, 'state') ?? {};
  const call = findCall(wire, state.input);
  const result = call && findResult(call.rawTool, state);
  return result && { ...origin, kind: 'call-ended', ...call, result };
}

function readPrompt(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const text = findText(wire, 'text');
  return text === undefined ? undefined : { ...origin, kind: 'prompted', text };
}

function readSession(wire: Wire, origin: EventOrigin): AgentEvent {
  if (findText(wire, 'parentID') === undefined) return { ...origin, kind: 'session-started', start: 'startup' };
  return { ...origin, kind: 'subagent-started', subagentType: findText(wire, 'agent') ?? 'unknown' };
}

function findCall(wire: Wire, input: unknown): StartedCall | undefined {
  const [rawTool, callId] = [findText(wire, 'tool'), findText(wire, 'callID')];
  return rawTool === undefined || callId === undefined ? undefined : readToolCall(rawTool, input, callId);
}

/** Our plugin's orders. */
export interface PluginOrder {
  /** For the model, with the result of the call, or at the start of the session. */
  readonly note?: string;
  /** The call is refused with this reason. */
  readonly refuse?: string;
  /** The input that replaces that of the call. */
  readonly args?: object;
  /** For the user. */
  readonly notice?: string;
}

function writeHook(reply: HookReply): string {
  return JSON.stringify(toOrder(reply));
}

function toOrder(reply: HookReply): PluginOrder {
  if (reply.kind === 'note') return { note: reply.context };
  const { notice } = reply;
  if (reply.kind === 'refusal') return { refuse: reply.reason, notice };
  return { args: { ...JSON.parse(reply.input), command: reply.command }, note: reply.context, notice };
}
