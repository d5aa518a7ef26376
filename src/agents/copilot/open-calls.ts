/**
 * Tracks Copilot CLI calls from the record of their start to the record of their end, with their permission requests
 * and the commands left running in a shell. The end of such a command may come many scans later, so the reader's memo
 * stores the facts of the start that the end needs.
 */

import { keepNewest } from '../../base/bounded-memory.ts';
import type { AgentEvent, CallResult, EventOrigin, StartedCall } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent, parseRecord } from '../../base/records.ts';
import { toCanonicalTool, toToolInput } from '../calls.ts';
import { type BegunCall, toEnded, toUnended, withPairedMs } from '../history-events.ts';
import type { Meaning } from '../refusals.ts';
import { findNumber, findText, findTexts, findWire, toWires, type Wire } from '../wire.ts';
import { CALL_FACTS } from './calls.ts';
import { findExitCode, findRefusal, findShellId, toPrinted, toResult } from './results.ts';

interface Executions {
  start(data: Wire, origin: EventOrigin, line: number): readonly AgentEvent[];
  /** `endOrigin`: the origin of the record. */
  complete(data: Wire, endOrigin: EventOrigin): readonly AgentEvent[];
  askPermission(data: Wire): void;
  answerPermission(data: Wire): void;
  /** A notification that a command left running has ended. */
  endShell(kind: Wire, endOrigin: EventOrigin): readonly AgentEvent[];
  /** The user interrupted the agent: running calls end without a record, or with one that adds nothing. */
  abort(): readonly AgentEvent[];
  /** The conversation continues, or ends, without the ends that it still waits for. */
  abandon(contextId?: string): readonly AgentEvent[];
  leave(): readonly AgentEvent[];
  readonly oldestLine: number | undefined;
}

interface Running extends BegunCall {
  readonly line: number;
  readonly isAborted?: boolean;
}

/** Far more than any turn has; bounds the memory whatever the file is. */
const MAX_KEPT = 1000;

export function openExecutions(shells: Shells, skip: (reason: string) => readonly AgentEvent[]): Executions {
  const running = new Map<string, Running>();
  /** Calls whose end was given up; if it still comes, it is better. */
  const late = new Map<string, Running>();
  /** Request -> call, and call -> answer. */
  const asked = new Map<string, string>();
  const refusals = new Map<string, Meaning>();

  const giveUp = (left: readonly Running[], isAborted: boolean): readonly AgentEvent[] => {
    for (const one of left) {
      running.delete(one.call.callId);
      keepNewest(late, one.call.callId, { ...one, isAborted }, MAX_KEPT);
    }
    return left.map(isAborted ? toAborted : toUnended);
  };

  /** The output that is read from a shell after its end also contains the end. A person finds it at the reading call. */
  const readShell = ({ call, line }: Running, data: Wire, endOrigin: EventOrigin): readonly AgentEvent[] => {
    const shellId = call.tool === 'shell' ? undefined : findInputShell(call);
    const exitCode = shellId === undefined ? undefined : findExitCode(data);
    if (shellId === undefined || exitCode === undefined) return [];
    const ended = shells.end(shellId, { isError: false, exitCode, text: toPrinted(data) }, endOrigin);
    shells.remove(shellId);
    return ended.map((event) => ({ ...event, line }));
  };

  const end = (begun: Running, data: Wire, endOrigin: EventOrigin): readonly AgentEvent[] => {
    const { call, origin, isAborted = false } = begun;
    const result = toResult(data, { tool: call.tool, refusal: refusals.get(call.callId), isAborted });
    const isLeft = result.background === true;
    const shellId = isLeft ? findShellId(data) : undefined;
    if (shellId !== undefined) shells.add(shellId, origin, call);
    const timed = isLeft ? result : withPairedMs(result, origin.at, endOrigin.at);
    return [toEnded(begun, timed), ...readShell(begun, data, endOrigin)];
  };

  return {
    start(data, origin, line) {
      const call = findStartedCall(data);
      if (call === undefined) return skip('call without id or tool');
      const model = findText(data, 'model');
      keepNewest(running, call.callId, { origin: { ...origin, ...dropAbsent({ model }) }, call, line }, MAX_KEPT);
      return [];
    },
    complete(data, endOrigin) {
      const callId = findText(data, 'toolCallId') ?? '';
      const begun = running.get(callId) ?? late.get(callId);
      running.delete(callId);
      late.delete(callId);
      // A command that the user ran in the agent's shell is not a call of the agent.
      if (data.isUserRequested === true) return [];
      if (begun === undefined) return skip('result of a call that is not in this file');
      const events = end(begun, data, endOrigin);
      refusals.delete(callId);
      return events;
    },
    askPermission(data) {
      const requestId = findText(data, 'requestId');
      const callId = findText(findWire(data, 'permissionRequest') ?? {}, 'toolCallId');
      if (requestId !== undefined && callId !== undefined) keepNewest(asked, requestId, callId, MAX_KEPT);
    },
    answerPermission(data) {
      const callId = findText(data, 'toolCallId') ?? asked.get(findText(data, 'requestId') ?? '');
      const refusal = findRefusal(findWire(data, 'result') ?? {});
      if (callId !== undefined && refusal === undefined) refusals.delete(callId);
      if (callId !== undefined && refusal !== undefined) keepNewest(refusals, callId, refusal, MAX_KEPT);
    },
    endShell(kind, endOrigin) {
      const exitCode = findNumber(kind, 'exitCode');
      if (exitCode === undefined) return [];
      return shells.end(findText(kind, 'shellId') ?? '', { isError: false, exitCode, text: '' }, endOrigin);
    },
    abort: () => giveUp([...running.values()], true),
    abandon(contextId) {
      const isMeant = (one: Running) => contextId === undefined || one.origin.contextId === contextId;
      return giveUp([...running.values()].filter(isMeant), false);
    },
    leave: () => [...running.values()].map(toUnended),
    get oldestLine() {
      return running.values().next().value?.line;
    },
  };
}

/** Undefined for a start without an id or a tool. */
function findStartedCall(data: Wire): StartedCall | undefined {
  const names = findTexts(data, 'toolCallId', 'toolName');
  if (names === undefined) return undefined;
  const { toolCallId: callId, toolName: rawTool } = names;
  // The tool of a server comes with both names separately.
  const server = findText(data, 'mcpServerName');
  const tool: ToolName =
    server === undefined
      ? toCanonicalTool(CALL_FACTS, rawTool)
      : `mcp:${server}/${findText(data, 'mcpToolName') ?? rawTool}`;
  return { callId, tool, rawTool, input: toToolInput(CALL_FACTS, tool, data.arguments) };
}

function toAborted(running: Running) {
  return toEnded(running, { isError: false, text: '', cancelled: true });
}

function findInputShell({ input }: StartedCall): string | undefined {
  return findText(parseRecord(input.json) ?? {}, 'shellId');
}

interface Shells {
  add(shellId: string, origin: EventOrigin, call: StartedCall): void;
  /** `endOrigin`: the record of the end; the output may still be reported later. */
  end(shellId: string, result: CallResult, endOrigin: EventOrigin): readonly AgentEvent[];
  /** Nothing more will come from the shell. */
  remove(shellId: string): void;
  /** For a reader that continues here; undefined if no shell is open. */
  readonly memo: readonly ShellMemo[] | undefined;
}

export interface ShellMemo {
  readonly shellId: string;
  readonly callId: string;
  readonly rawTool: string;
  readonly contextId: string;
  readonly at: string;
}

interface Shell extends ShellMemo {
  /** Unknown to a reader that did not see the start. */
  readonly begun?: BegunCall;
}

const MAX_SHELLS = 20;

/** Commands left running, by their shell. */
export function openShells(memo: unknown): Shells {
  const shells = new Map<string, Shell>(toMemos(memo).map((shell) => [shell.shellId, shell]));

  return {
    add(shellId, origin, call) {
      const { callId, rawTool } = call;
      const { contextId, at } = origin;
      const shell = { shellId, callId, rawTool, contextId, at, begun: { origin, call } };
      keepNewest(shells, shellId, shell, MAX_SHELLS);
    },
    end(shellId, result, endOrigin) {
      const shell = shells.get(shellId);
      if (shell === undefined) return [];
      const { callId, rawTool, contextId, at, begun } = shell;
      const origin = begun?.origin ?? { ...endOrigin, contextId, at };
      const call = begun?.call ?? { callId, tool: toCanonicalTool(CALL_FACTS, rawTool), rawTool, input: { json: '' } };
      return [{ ...origin, kind: 'background-ended', ...call, result: withPairedMs(result, at, endOrigin.at) }];
    },
    remove: (shellId) => void shells.delete(shellId),
    get memo() {
      return shells.size === 0 ? undefined : [...shells.values()].map(({ begun: _, ...memo }) => memo);
    },
  };
}

function toMemos(memo: unknown): readonly ShellMemo[] {
  return toWires(memo).flatMap((wire) => {
    const texts = findTexts(wire, 'shellId', 'callId', 'rawTool', 'at');
    return texts === undefined ? [] : [{ ...texts, contextId: findText(wire, 'contextId') ?? '' }];
  });
}
