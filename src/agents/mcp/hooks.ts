/**
 * Reads the reports of a client without hooks: `tool_outcome` and `session_end_analysis` of the MCP tool `memory_capture`,
 * in the form in which `surfaces/mcp/capture.ts` hands them to the daemon. A report comes after its call, so a lesson and
 * a known fix come back with the report.
 */

import type { AgentAdapter, HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent, CallResult, EventOrigin } from '../../base/model/event.ts';
import { dropAbsent, isRecord, parseRecord } from '../../base/records.ts';
import { type CallFacts, cutText, MCP_NAME, toStartedCall } from '../calls.ts';
import { CANCELLED } from '../refusals.ts';
import { findNumber, findText, findTexts, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

/** Our names of tools, and those that the agents with hooks use. */
const CALL_FACTS: CallFacts = {
  tools: {
    shell: 'shell bash Bash Shell PowerShell powershell exec_command run_shell_command run_in_terminal',
    read: 'read Read view read_file',
    edit: 'edit Edit MultiEdit replace apply_patch',
    write: 'write Write create write_file',
    glob: 'glob Glob list list_directory',
    grep: 'grep Grep grep_search',
    task: 'task Task',
    web: 'web WebFetch WebSearch webfetch websearch web_fetch',
  },
  mcp: MCP_NAME,
  pathKeys: ['path', 'file_path', 'filePath'],
  contentKeys: ['new_string', 'newString', 'new_str', 'content'],
  patchKey: 'patch',
};

export const mcp: AgentAdapter = {
  facts,
  capabilities: {
    beforeCall: [],
    withResult: 'all',
    knownFixes: 'all',
    sessionStart: false,
    subagents: 'unmarked',
    calls: 'hooks',
    exitCodes: 'hooks',
  },
  readHook,
  readCall: (rawTool, input, callId) => toStartedCall(CALL_FACTS, rawTool, input, callId),
  writeProbe: (command, cwd) => {
    const ids = { session_id: 'oncebitten-probe', call_id: 'oncebitten-probe' };
    const wire = { ...ids, cwd, tool: 'shell', input: { command }, outcome: 'success' };
    return { to: 'call-ended', eventName: 'tool_outcome', wire: `${JSON.stringify(wire)}\n` };
  },
  writeHook,
};

function readHook(eventName: string, wire: unknown, at: string): AgentEvent | undefined {
  const sessionId = isRecord(wire) ? findText(wire, 'session_id') : undefined;
  if (!isRecord(wire) || sessionId === undefined) return undefined;
  const origin: EventOrigin = {
    ...{ agent: facts.id, sessionId, contextId: '', at, source: 'hook' },
    ...dropAbsent({ cwd: findText(wire, 'cwd'), model: findText(wire, 'model') }),
  };
  if (eventName === 'session_end_analysis') return { ...origin, kind: 'session-ended', reason: 'reported' };
  return eventName === 'tool_outcome' ? readOutcome(wire, origin) : undefined;
}

function readOutcome(wire: Wire, origin: EventOrigin): AgentEvent | undefined {
  const ids = findTexts(wire, 'tool', 'call_id');
  return (
    ids && {
      ...{ ...origin, kind: 'call-ended' },
      ...toStartedCall(CALL_FACTS, ids.tool, wire.input, ids.call_id),
      result: toResult(wire),
    }
  );
}

function toResult(wire: Wire): CallResult {
  const { outcome } = wire;
  return dropAbsent({
    isError: outcome === 'failure',
    exitCode: findNumber(wire, 'exit_code'),
    text: cutText(findText(wire, 'output') ?? ''),
    durationMs: findNumber(wire, 'duration_ms'),
    ...(outcome === 'denied' ? { denied: {} } : {}),
    ...(outcome === 'cancelled' ? CANCELLED : {}),
  });
}

/** Nothing acts before a call, so every reply is a text. */
function writeHook(reply: HookReply): string {
  return JSON.stringify({ note: reply.kind === 'refusal' ? reply.reason : reply.context });
}

/** The text in a reply; undefined if there is none. */
export function parseNote(line: string): string | undefined {
  return findText(parseRecord(line) ?? {}, 'note');
}
