/**
 * Finds which other agent (Cursor, Copilot CLI, VS Code) sent a payload to the hooks of Claude's settings, and reads
 * it. Each event is counted under the guest's own id and answered in the guest's own format, or not at all. The
 * registered event decides how a payload is read, because guests rename events.
 */

import type { HookCaller } from '../../base/contracts/agent-adapter.ts';
import type { AgentCapabilities } from '../../base/contracts/agent-capabilities.ts';
import type { AgentEvent, EventOrigin, SessionStart, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { toStartedCall } from '../calls.ts';
import { copilot } from '../copilot/guest.ts';
import { cursor } from '../cursor/guest.ts';
import { vscode } from '../vscode/guest.ts';
import { findText, type Wire } from '../wire.ts';
import { facts } from './facts.ts';
import type { Guest } from './guest.ts';
import { type HookWire, isHookWire, isToolWire, type ToolWire } from './wire.ts';

const GUESTS: readonly Guest[] = [cursor, copilot, vscode];

/** The guest that sent a payload: `unknown` if it is none of ours, undefined if it is Claude Code itself. */
export function findGuest(payload: unknown): HookCaller | 'unknown' | undefined {
  const callerId = isRecord(payload) ? toCallerId(payload) : facts.id;
  if (callerId === facts.id) return undefined;
  const guest = GUESTS.find((one) => one.facts.id === callerId);
  return guest === undefined ? 'unknown' : toCaller(guest);
}

function toCaller(guest: Guest): HookCaller {
  const { silence = '' } = guest;
  return {
    id: guest.facts.id,
    silence,
    readHook: (eventName, wire, at) => readGuestHook(guest, eventName, wire, at),
    capabilities: GUEST_CAPABILITIES,
    writeHook: (reply) => (reply.kind === 'note' ? guest.writeHook(reply) : silence),
  };
}

/** Guests only get notes; what else their own hooks can do is not known here. */
const GUEST_CAPABILITIES: AgentCapabilities = {
  beforeCall: ['note'],
  withResult: 'none',
  knownFixes: 'none',
  sessionStart: true,
  subagents: 'unmarked',
  calls: 'hooks',
  exitCodes: 'hooks',
};

type Reader = (guest: Guest, wire: HookWire, origin: EventOrigin) => AgentEvent | undefined;

function readGuestHook(guest: Guest, eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  if (!isHookWire(wire)) return undefined;
  const cwd = findText(wire, 'cwd') ?? guest.findFolder?.(wire);
  const model = findText(wire, 'model');
  // Without the transcript path, because the guest's own history knows where its sessions are.
  const origin: EventOrigin = {
    agent: guest.facts.id,
    sessionId: wire.session_id,
    contextId: '',
    ...guest.findSubagent?.(wire),
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
  const call = isToolWire(wire) ? findCall(guest, wire) : undefined;
  return call && { ...origin, kind: 'call-started', ...call };
}

function readEnd(guest: Guest, wire: HookWire, origin: EventOrigin): AgentEvent | undefined {
  const call = isToolWire(wire) ? findCall(guest, wire) : undefined;
  const result = call && isToolWire(wire) ? guest.findResult(call.tool, wire) : undefined;
  return call && result && { ...origin, kind: guest.hasNoIds ? 'call-returned' : 'call-ended', ...call, result };
}

function readPrompt(guest: Guest, wire: HookWire, origin: EventOrigin): AgentEvent | undefined {
  const text = findText(wire, 'prompt');
  return text === undefined || guest.isHuman?.(wire) === false ? undefined : { ...origin, kind: 'prompted', text };
}

function findCall(guest: Guest, wire: ToolWire): StartedCall | undefined {
  const callId = guest.hasNoIds ? '' : findText(wire, 'tool_use_id');
  return callId === undefined ? undefined : toStartedCall(guest, wire.tool_name, wire.tool_input, callId);
}

const STARTS: Readonly<Record<string, SessionStart>> = { new: 'startup', startup: 'startup', resume: 'resume' };

/** Cursor names no source; it reports a session once, when it begins. */
function toStart(wire: HookWire): SessionStart {
  const source = findText(wire, 'source') ?? 'startup';
  return Object.hasOwn(STARTS, source) ? (STARTS[source] ?? 'unknown') : 'unknown';
}

// Recognizes which agent sent a payload, by its keys. The first matching row of the table decides.

interface Fingerprint {
  readonly agent: string;
  /** Keys that must all be present, with any value. */
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  readonly transcript?: RegExp;
}

const FINGERPRINTS: readonly Fingerprint[] = [
  { agent: 'cursor', has: ['cursor_version'] },
  { agent: 'cursor', has: ['conversation_id'] },
  { agent: 'cursor', has: ['generation_id'] },
  { agent: 'codex', transcript: /[\\/]rollout-[^\\/]+\.jsonl(\.zst)?$/ },
  { agent: 'gemini-cli', transcript: /[\\/]chats[\\/]session-[^\\/]+\.jsonl$/ },
  { agent: 'copilot', has: ['tool_result'] },
  { agent: 'copilot', transcript: /[\\/]session-state[\\/].*events\.jsonl$/ },
  { agent: facts.id, has: ['prompt_id'] },
  { agent: facts.id, transcript: /[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/ },
  // Claude Code also names the turn, but only with a message that it displays.
  { agent: 'codex', has: ['turn_id'], lacks: ['message_id'] },
  // Both put a time on every event, unlike Claude Code; Copilot gives calls no id and no transcript.
  { agent: 'copilot', has: ['timestamp'], lacks: ['transcript_path', 'tool_use_id'] },
  { agent: 'vscode', has: ['timestamp'] },
];

/** Without any mark it is Claude Code, because these are its settings. */
function toCallerId(wire: Wire): string {
  return FINGERPRINTS.find((row) => holds(row, wire))?.agent ?? facts.id;
}

function holds({ has = [], lacks = [], transcript }: Fingerprint, wire: Wire): boolean {
  if (transcript !== undefined && !transcript.test(findText(wire, 'transcript_path') ?? '')) return false;
  return has.every((key) => Object.hasOwn(wire, key)) && !lacks.some((key) => Object.hasOwn(wire, key));
}

/** Does the payload come from another agent that runs Claude's hooks? It must never count as Claude Code's. */
export function isForeignCaller(wire: Wire): boolean {
  return toCallerId(wire) !== facts.id;
}
