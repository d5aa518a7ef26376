/**
 * The hook events that Claude Code and Codex have in common: their names, the origin of an event, the events about
 * sessions, turns and sub-agents, and the note, for which other agents have the same fields. Events about calls and
 * prompts differ and are in each agent's folder.
 */

import type { AgentAdapter, HookProbe, HookReply, NoteReply } from '../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOrigin, SessionStart } from '../base/model/event.ts';
import { dropAbsent, isRecord } from '../base/records.ts';
import { findText, type Wire } from './wire.ts';

export type HookReader = (wire: Wire, origin: EventOrigin) => AgentEvent | undefined;

export const SESSION_READERS: readonly (readonly [string, HookReader])[] = [
  ['SessionStart', (wire, origin) => ({ ...origin, kind: 'session-started', start: toSessionStart(wire) })],
  ['SessionEnd', (wire, origin) => ({ ...origin, kind: 'session-ended', reason: findText(wire, 'reason') ?? 'other' })],
  ['Stop', (_wire, origin) => ({ ...origin, kind: 'turn-ended' })],
  ['SubagentStart', (wire, origin) => readSubagent(wire, origin, 'subagent-started')],
  ['SubagentStop', (wire, origin) => readSubagent(wire, origin, 'subagent-ended')],
  ['PreCompact', (_wire, origin) => ({ ...origin, kind: 'compacting' })],
  ['PostCompact', (_wire, origin) => ({ ...origin, kind: 'compacted' })],
];

export const EVENT_NAMES: Readonly<Record<HookReply['to'], string>> = {
  'call-started': 'PreToolUse',
  'session-started': 'SessionStart',
  'subagent-started': 'SubagentStart',
  // Only the failure of a call is answered.
  'call-ended': 'PostToolUseFailure',
  'call-returned': 'PostToolUse',
  'batch-ended': 'PostToolBatch',
};

type ReadHook = AgentAdapter['readHook'];

/** Parses one payload by its own event name; the argument is only for a payload without one. */
export function makeHookReader(agent: string, readers: ReadonlyMap<string, HookReader>): ReadHook {
  return (eventName, wire, at) => {
    const sessionId = isRecord(wire) ? findText(wire, 'session_id') : undefined;
    if (!isRecord(wire) || sessionId === undefined) return undefined;
    return readers.get(findText(wire, 'hook_event_name') ?? eventName)?.(wire, toOrigin(agent, wire, sessionId, at));
  };
}

function toOrigin(agent: string, wire: Wire, sessionId: string, at: string): EventOrigin {
  return {
    agent,
    sessionId,
    contextId: findText(wire, 'agent_id') ?? '',
    at,
    source: 'hook',
    ...dropAbsent({
      cwd: findText(wire, 'cwd'),
      model: findText(wire, 'model'),
      // The end of a sub-agent names the file with its calls; every other event names the main file.
      transcriptPath: findText(wire, 'agent_transcript_path') ?? findText(wire, 'transcript_path'),
    }),
  };
}

export function writeNote({ to, context }: NoteReply, hookEventName: string = EVENT_NAMES[to]): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: context } });
}

/** The payload before a shell command, to test the installed hook. `own`: the fields that differ between agents. */
export function renderProbe(own: object): HookProbe {
  const to = 'call-started';
  const eventName = EVENT_NAMES[to];
  const ids = { session_id: 'oncebitten-probe', tool_use_id: 'oncebitten-probe' };
  return {
    to,
    eventName,
    wire: `${JSON.stringify({ ...ids, hook_event_name: eventName, tool_name: 'Bash', ...own })}\n`,
  };
}

/** Compaction ends a sub-agent without a type that never started; it is not one of the user's. */
function readSubagent(wire: Wire, origin: EventOrigin, kind: 'subagent-started' | 'subagent-ended') {
  const subagentType = findText(wire, 'agent_type');
  return subagentType === undefined || origin.contextId === '' ? undefined : { ...origin, kind, subagentType };
}

const STARTS: readonly SessionStart[] = ['startup', 'resume', 'clear', 'compact', 'fork'];

function toSessionStart(wire: Wire): SessionStart {
  return STARTS.find((start) => start === wire.source) ?? 'unknown';
}
