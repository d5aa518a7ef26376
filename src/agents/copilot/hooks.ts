/**
 * The adapter for the hooks in Copilot CLI's own settings: parses hook payloads into events, and writes replies and the
 * probe payload that tests an installed hook. Payloads name no event and calls have no id, so its log reports the calls; a
 * hook's report of a call is only answered. A failing command is a success to Copilot CLI.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, EventOrigin, SessionStart, StartedCall } from '../../base/model/event.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { cutText, toStartedCall } from '../calls.ts';
import type { HookReader } from '../hook-events.ts';
import { findText, findWire, type Wire } from '../wire.ts';
import { CALL_FACTS } from './calls.ts';
import { facts } from './facts.ts';
import { findHookResult } from './results.ts';
import { toSubagent } from './subagents.ts';

const READERS = new Map<string, HookReader>([
  ['preToolUse', readStart],
  ['postToolUse', readReturn],
  ['postToolUseFailure', readReturn],
  ['userPromptSubmitted', readPrompt],
  ['sessionStart', (wire, origin) => ({ ...origin, kind: 'session-started', start: toStart(wire) })],
  ['sessionEnd', (wire, origin) => ({ ...origin, kind: 'session-ended', reason: findText(wire, 'reason') ?? 'other' })],
  ['agentStop', (_wire, origin) => (isMain(origin) ? { ...origin, kind: 'turn-ended' } : undefined)],
  ['subagentStart', (wire, origin) => readSubagent(wire, origin, 'subagent-started')],
  ['subagentStop', (wire, origin) => readSubagent(wire, origin, 'subagent-ended')],
  ['preCompact', (_wire, origin) => ({ ...origin, kind: 'compacting' })],
]);

export const copilot: AgentAdapter = {
  facts,
  capabilities: {
    beforeCall: ['note', 'pause', 'rewrite', 'block'],
    withResult: 'all',
    knownFixes: 'all',
    sessionStart: true,
    subagents: 'greeted',
    calls: 'late file',
    exitCodes: 'hooks',
  },
  readHook,
  readCall: (rawTool, input, callId) => toStartedCall(CALL_FACTS, rawTool, input, callId),
  writeProbe: (command, cwd) => {
    const wire = { sessionId: 'oncebitten-probe', timestamp: 0, cwd, toolName: 'bash', toolArgs: { command } };
    return { to: 'call-started', eventName: 'preToolUse', wire: `${JSON.stringify(wire)}\n` };
  },
  writeHook,
};

function readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  const sessionId = isRecord(wire) ? findText(wire, 'sessionId') : undefined;
  if (!isRecord(wire) || sessionId === undefined) return undefined;
  const origin: EventOrigin = {
    agent: facts.id,
    sessionId,
    contextId: '',
    ...toSubagent(wire.agentId, wire.parentAgentId),
    at,
    source: 'hook',
    // Without the path of the log: Copilot CLI writes it later, so the daemon must go on looking at it.
    ...dropAbsent({ cwd: findText(wire, 'cwd') }),
  };
  return READERS.get(eventName)?.(wire, origin);
}

function isMain({ contextId }: EventOrigin): boolean {
  return contextId === '';
}

function readStart(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  const subagentType = isMain(origin) ? undefined : findText(wire, 'agentType');
  return call && { ...origin, kind: 'call-started', ...call, ...dropAbsent({ subagentType }) };
}

function readReturn(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const call = findCall(wire);
  const text = findText(findWire(wire, 'toolResult') ?? {}, 'textResultForLlm') ?? '';
  const result = call && findHookResult(call.tool, findText(wire, 'error'), text);
  return result && { ...origin, kind: 'call-returned', ...call, result };
}

/** The task of a sub-agent arrives as a prompt, too, but no person wrote it. */
function readPrompt(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const text = findText(wire, 'prompt');
  return text === undefined || !isMain(origin) ? undefined : { ...origin, kind: 'prompted', text };
}

function readSubagent(wire: Wire, origin: EventOrigin, kind: 'subagent-started' | 'subagent-ended') {
  const subagentType = findText(wire, 'agentType') ?? findText(wire, 'agentName');
  return subagentType === undefined || isMain(origin) ? undefined : { ...origin, kind, subagentType };
}

function findCall(wire: Wire): StartedCall | undefined {
  const rawTool = findText(wire, 'toolName');
  return rawTool === undefined ? undefined : toStartedCall(CALL_FACTS, rawTool, wire.toolArgs, '');
}

const STARTS: Readonly<Record<string, SessionStart>> = { new: 'startup', startup: 'startup', resume: 'resume' };

function toStart(wire: Wire): SessionStart {
  const source = findText(wire, 'source') ?? '';
  return Object.hasOwn(STARTS, source) ? (STARTS[source] ?? 'unknown') : 'unknown';
}

/** Copilot CLI drops more than 10 KB. */
const MAX_NOTE_CHARS = 9000;

/** There is no message to the user alone, so the reason of a refusal also says how to mute the lesson. */
function writeHook(reply: HookReply): string {
  if (reply.kind === 'refusal') {
    const permissionDecisionReason = `${reply.reason}\n\n${reply.notice}`;
    return JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason });
  }
  const additionalContext = cutText(reply.context, MAX_NOTE_CHARS);
  if (reply.kind === 'note') return JSON.stringify({ additionalContext });
  // Without a permission: the user is asked as before.
  return JSON.stringify({ modifiedArgs: { ...JSON.parse(reply.input), command: reply.command }, additionalContext });
}
