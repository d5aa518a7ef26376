/**
 * Finds the agent that called the hook: the agent that the hook was installed for, or a guest (Cursor, Copilot, VS
 * Code) that runs the hooks of Claude's settings; and reads the guests' payloads. Each event is counted under one agent
 * id and answered in that agent's own format, or not at all. A guest's payload is read by the event that the hook was
 * registered for, because guests rename events.
 */

import type { AgentAdapter } from '../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOrigin, SessionStart, StartedCall } from '../base/model/event.ts';
import type { DeliveryMode } from '../base/model/lesson.ts';
import { dropAbsent, isRecord } from '../base/records.ts';
import { findAgent } from './agents.ts';
import { toCallerId } from './claude-code/caller-fingerprints.ts';
import { claudeCode } from './claude-code/hooks.ts';
import { type HookWire, isHookWire, isToolWire, type ToolWire } from './claude-code/wire.ts';
import { copilot } from './copilot/hooks.ts';
import { cursor } from './cursor/hooks.ts';
import type { Guest } from './guest.ts';
import { vscode } from './vscode/hooks.ts';
import { findText, toJson } from './wire.ts';

export interface Caller extends Pick<AgentAdapter, 'readHook' | 'writeHook'> {
  readonly id: string;
  /** What is printed when there is nothing to say. */
  readonly silence: string;
  readonly modes: readonly DeliveryMode[];
}

export const GUESTS: readonly Guest[] = [cursor, copilot, vscode];

/** Undefined for an agent that nobody here can read: it hears nothing and nothing is counted. */
export function findCaller(agentId: string, payload: unknown): Caller | undefined {
  const adapter = findAgent(agentId);
  if (adapter === undefined) return undefined;
  const callerId = adapter === claudeCode && isRecord(payload) ? toCallerId(payload) : agentId;
  if (callerId === agentId)
    return {
      id: agentId,
      silence: '',
      modes: adapter.facts.modes,
      readHook: adapter.readHook,
      writeHook: adapter.writeHook,
    };
  const guest = GUESTS.find(({ id }) => id === callerId);
  return guest && toCaller(guest);
}

function toCaller(guest: Guest): Caller {
  return {
    id: guest.id,
    silence: guest.silence,
    readHook: (eventName, wire, at) => readGuestHook(guest, eventName, wire, at),
    modes: ['note'],
    writeHook: (reply) => (reply.kind === 'note' ? guest.writeHook(reply) : guest.silence),
  };
}

type Reader = (guest: Guest, wire: HookWire, origin: EventOrigin) => AgentEvent | undefined;

/** One payload of a guest to an event: by the event it was registered for, because guests rename theirs. */
function readGuestHook(guest: Guest, eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  if (!isHookWire(wire)) return undefined;
  const cwd = guest.findCwd(wire);
  const model = findText(wire, 'model');
  // No transcript path: where a guest keeps its sessions, and whether we read them, is for its own history to say.
  const origin: EventOrigin = {
    agent: guest.id,
    sessionId: wire.session_id,
    contextId: '',
    at,
    source: 'hook',
    ...dropAbsent({ cwd, model }),
  };
  return READERS.get(eventName)?.(guest, wire, origin);
}

const READERS = new Map<string, Reader>([
  ['PreToolUse', readBegin],
  ['PostToolUse', readEnd],
  ['PostToolUseFailure', readEnd],
  ['SessionStart', (_guest, wire, origin) => ({ ...origin, kind: 'session-started', start: toStart(wire) })],
  [
    'SessionEnd',
    (_guest, wire, origin) => ({ ...origin, kind: 'session-ended', reason: findText(wire, 'reason') ?? 'other' }),
  ],
  ['UserPromptSubmit', readPrompt],
  ['Stop', (_guest, _wire, origin) => ({ ...origin, kind: 'turn-ended' })],
  ['PreCompact', (_guest, _wire, origin) => ({ ...origin, kind: 'compacting' })],
]);

function readBegin(guest: Guest, wire: HookWire, origin: EventOrigin): AgentEvent | undefined {
  const call = guest.hasCallIds && isToolWire(wire) ? findCall(guest, wire) : undefined;
  return call && { ...origin, kind: 'call-started', ...call };
}

function readEnd(guest: Guest, wire: HookWire, origin: EventOrigin): AgentEvent | undefined {
  const call = isToolWire(wire) ? findCall(guest, wire) : undefined;
  const result = call && isToolWire(wire) ? guest.findResult(call.tool, wire) : undefined;
  return call && result && { ...origin, kind: 'call-ended', ...call, result };
}

function readPrompt(guest: Guest, wire: HookWire, origin: EventOrigin): AgentEvent | undefined {
  const text = findText(wire, 'prompt');
  return text === undefined || !guest.isHuman(wire) ? undefined : { ...origin, kind: 'prompted', text };
}

function findCall(guest: Guest, wire: ToolWire): StartedCall | undefined {
  const callId = guest.findCallId(wire);
  if (callId === undefined) return undefined;
  const tool = Object.hasOwn(guest.tools, wire.tool_name) ? (guest.tools[wire.tool_name] ?? 'other') : 'other';
  const input = isRecord(wire.tool_input) ? wire.tool_input : {};
  const find = (keys: readonly string[]) => keys.map((key) => findText(input, key)).find((text) => text !== undefined);
  const command = tool === 'shell' ? findText(input, 'command') : undefined;
  const path = ['read', 'edit', 'write'].includes(tool) ? find(guest.pathKeys) : undefined;
  const content = tool === 'edit' || tool === 'write' ? find(guest.contentKeys) : undefined;
  return {
    callId,
    tool,
    rawTool: wire.tool_name,
    input: {
      ...dropAbsent({ command, path, content }),
      json: toJson(wire.tool_input),
    },
  };
}

const STARTS: Readonly<Record<string, SessionStart>> = { new: 'startup', startup: 'startup', resume: 'resume' };

/** Cursor names no source: it tells of a session once, when it begins. */
function toStart(wire: HookWire): SessionStart {
  const source = findText(wire, 'source') ?? 'startup';
  return Object.hasOwn(STARTS, source) ? (STARTS[source] ?? 'unknown') : 'unknown';
}
