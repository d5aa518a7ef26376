/**
 * Tracks Codex calls from their request to their end: calls that wait for a result, calls left running in the
 * background, and calls that code-mode scripts make.
 */

import { dropOldest, keepNewest } from '../../base/bounded-memory.ts';
import {
  type AgentEvent,
  type CallResult,
  type EventOf,
  type EventOrigin,
  type StartedCall,
  toElapsedMs,
} from '../../base/model/event.ts';
import { dropAbsent } from '../../base/records.ts';
import { type BegunCall, toEnded, UNENDED, withPairedMs } from '../history-events.ts';
import { toToolName } from './calls.ts';
import { type NestedCall, type NestedRow, readNested, type Script, toScriptOutput } from './nested-calls.ts';
import { parseReportedOutput, type ReportedOutput } from './reported-output.ts';
import type { EndFacts } from './results.ts';
import { toFactsResult, toResult } from './results.ts';
import type { ScriptOutput } from './scripts/follow-way.ts';
import type { Memo, RunningNote } from './thread.ts';

interface WaitingCall extends BegunCall {
  /** A code-mode script, which makes calls of its own. */
  readonly script?: Script;
}

interface OpenCall extends WaitingCall {
  readonly line: number;
  readonly facts?: EndFacts;
}

interface RunningCall {
  readonly key: string;
  readonly call: StartedCall;
  /** Only line and time, without the input, if an earlier reader saw the start. */
  readonly origin: EventOrigin | Pick<RunningNote, 'line' | 'at'>;
  /** Not reported yet, because a row of its own should follow; this is the result to report if none does. */
  readonly unreported?: CallResult;
  readonly ended?: UnreadEnd;
  /** The agent sent Ctrl-C: the end is its own doing, no failure. */
  readonly isInterrupted?: true;
}

/** A command has ended, and the agent has not looked at it since. */
interface UnreadEnd {
  readonly result: CallResult;
  readonly origin: EventOrigin;
  /** The turn was over before the agent looked, so the end is reported, and again if it still looks. */
  readonly isReported?: true;
}

/** A script that is still running, with its output so far. */
interface HeldScript {
  readonly open: OpenCall & { readonly script: Script };
  readonly outputs: readonly ScriptOutput[];
}

type Events = readonly AgentEvent[];

interface ScriptEnded {
  readonly events: Events;
  /** The error that ended the script is reported as the failure of one of its calls, and not again. */
  readonly isFailureOfCall: boolean;
}

const NOT_ENDED: ScriptEnded = { events: [], isFailureOfCall: false };

type CallNotes = Pick<Memo, 'running' | 'open'>;

export interface Calls {
  addCall(waiting: WaitingCall, line: number): Events;
  /** Adds the model's copy of an output, as one text and in blocks. `origin`: of the output's row. */
  addOutput(callId: string, reported: OutputBlocks, origin: EventOrigin): Events;
  /** Adds the end of a call from an item or event; `waiting` is what that row says about the call itself. */
  addFacts(waiting: WaitingCall, facts: EndFacts, endedAt: string): Events;
  /** A whole call in one row. */
  addDone(waiting: WaitingCall, result: CallResult): Events;
  /** The thread continues without the results that it still waits for. */
  abandon(isInterrupted: boolean): Events;
  /** The waiting calls, as never ended. They keep waiting. */
  leave(): Events;
  readonly oldestLine: number | undefined;
  readonly notes: CallNotes;
  /** Changes with the notes. */
  readonly version: number;
  readonly hasScripts: boolean;
}

interface OutputBlocks {
  readonly text: string;
  /** Undefined for a block that is not text. */
  toBlocks(): readonly (string | undefined)[];
}

/** Far more than any turn has; bounds the memory on a broken file. */
const MAX_WAITING = 1000;
const MAX_ENDED = 5000;
const MAX_RUNNING = 50;
const MAX_ROWS = 500;

export function openCalls(noted: CallNotes, skip: (reason: string) => unknown): Calls {
  const calls = new Map<string, OpenCall>();
  const running = new Map<string, RunningCall>(noted.running.map((note) => [note.callId, toNoted(note)]));
  /** Ended calls; further reports of them are repetitions. */
  const ended = new Set<string>(noted.open);
  /** By cell. */
  const held = new Map<string, HeldScript>();
  /** Rows of calls that no request names, because scripts made them. */
  let rows: readonly NestedRow[] = [];
  let hasScripts = false;
  let version = 0;

  const close = (callId: string): void => {
    calls.delete(callId);
    ended.add(callId);
    version++;
    dropOldest(ended, MAX_ENDED);
  };
  /** `seenAt`: the line of the call that told the agent. */
  const endRunning = (begun: RunningCall, result: CallResult, origin: EventOrigin, seenAt?: number): Events => {
    running.delete(begun.call.callId);
    version++;
    const isStopped = begun.isInterrupted === true && result.isError;
    const own = isStopped ? { ...result, isError: false, cancelled: true } : result;
    return [toBackgroundEnd(begun, { result: own, origin }, seenAt)];
  };
  const end = (waiting: WaitingCall, result: CallResult, key?: string): Events => {
    close(waiting.call.callId);
    if (result.background === true && key !== undefined) {
      leaveRunning({ key, call: waiting.call, origin: waiting.origin });
    }
    return [toEnded(waiting, result)];
  };
  /** A call that writes to a running command or script reports the state of that one. */
  const endStdinTarget = (
    stdin: OpenCall,
    key: string | undefined,
    reported: ReportedOutput,
    origin: EventOrigin,
    isFailureOfCall: boolean,
  ): Events => {
    const target = findRunning(key);
    if (target === undefined) return [];
    const begun = CTRL_C.test(stdin.call.input.json) ? { ...target, isInterrupted: true as const } : target;
    const result = findStdinEnd(begun.call, reported);
    if (result === undefined) {
      running.set(begun.call.callId, begun);
      version++;
      return [];
    }
    const known = begun.ended ?? { result: isFailureOfCall ? { ...result, isError: false } : result, origin };
    return endRunning(begun, known.result, known.origin, stdin.line);
  };
  const findRunning = (key: string | undefined): RunningCall | undefined =>
    key === undefined
      ? undefined
      : [...running.values()].find((call) => call.key === key && call.unreported === undefined);
  const leaveRunning = (call: RunningCall): void => {
    keepNewest(running, call.call.callId, call, MAX_RUNNING);
  };
  const read = ({ open, outputs }: HeldScript) => readNested(open.script, outputs, open, rows);
  /** Reports the calls of a script that has ended, or that nobody waits for any more. */
  const endScript = (script: HeldScript, reportedAt = script.open.origin): ScriptEnded => {
    const { calls: nested, claimed, isFailureOfCall, unsure } = read(script);
    // If there are rows, they show which calls were made.
    if (!script.open.script.isPaged) for (let left = unsure; left > 0; left--) skip('call that a script may have made');
    const isLast =
      held.size === 0 && ![...calls.values()].some((open) => isScript(open) && open.line !== script.open.line);
    rows = isLast ? [] : rows.filter((row) => !claimed.includes(row));
    version++;
    const { isPaged } = script.open.script;
    const shareMs = toShare(script.open.origin.at, reportedAt.at, nested.length + claimed.length);
    const timed = nested.map((made) => ({ ...made, result: withShare(made.result, shareMs) }));
    return { events: timed.flatMap((made) => endNested(made, isPaged, reportedAt)), isFailureOfCall };
  };
  const endNested = (
    { key, call, origin, result, stdinOf, stdinExit }: NestedCall,
    isPaged: boolean,
    reportedAt: EventOrigin,
  ): Events => {
    const awaited = key ?? (isPaged ? findRowKey(call, result) : undefined);
    const isUnreported = isPaged && awaited !== undefined;
    if (awaited !== undefined)
      leaveRunning(dropAbsent({ key: awaited, call, origin, unreported: isPaged ? result : undefined }));
    const target = stdinExit === undefined ? undefined : findRunning(stdinOf);
    const exit = { isError: stdinExit !== 0, exitCode: stdinExit ?? 0, text: result.text };
    return [
      ...(isUnreported ? [] : [toEnded({ origin, call }, result)]),
      ...(target === undefined ? [] : endRunning(target, exit, reportedAt, origin.line)),
    ];
  };
  const listScripts = (status: ScriptOutput['status']): readonly HeldScript[] => [
    ...[...held.values()].map(({ open, outputs }) => ({ open, outputs: [...outputs, { status, blocks: [] }] })),
    ...[...calls.values()].filter(isScript).map((open) => ({ open, outputs: [{ status, blocks: [] }] })),
  ];
  /** Handles the row of a call that a script made. The script may be open, or have left the command running. */
  const endByRow = (waiting: WaitingCall, facts: EndFacts, endedAt: string): Events => {
    const keys = [`session ${facts.processId}`, `command ${waiting.call.input.command}`];
    const begun = [...running.values()].find(({ key }) => keys.includes(key));
    if (begun === undefined) rows = [...rows, { call: waiting.call }].slice(-MAX_ROWS);
    else if (begun.unreported === undefined) {
      close(waiting.call.callId);
      return endRunning(begun, toFactsResult(facts), { ...waiting.origin, at: endedAt });
    } else running.delete(begun.call.callId);
    const result = toFactsResult(facts);
    // A command that was ended with its script has no exit code of its own.
    const isStopped = begun?.unreported?.cancelled === true && facts.exitCode === undefined;
    return end(waiting, isStopped ? { ...result, isError: false, cancelled: true } : result);
  };
  /** Adds output of a running script. Codex's own message, in place of the script's output, says nothing about it. */
  const addToScript = (
    key: string,
    reported: ReportedOutput,
    { toBlocks }: OutputBlocks,
    origin: EventOrigin,
  ): ScriptEnded => {
    const script = held.get(key);
    if (script === undefined || reported.script === undefined) return NOT_ENDED;
    const longer = { ...script, outputs: [...script.outputs, toScriptOutput(reported, toBlocks())] };
    held.set(key, longer);
    if (reported.script === 'running') return NOT_ENDED;
    held.delete(key);
    return endScript(longer, origin);
  };
  const readScriptOutput = (
    open: OpenCall & { readonly script: Script },
    reported: ReportedOutput,
    { toBlocks }: OutputBlocks,
    origin: EventOrigin,
  ): ScriptEnded => {
    const script = { open, outputs: [toScriptOutput(reported, toBlocks())] };
    if (reported.script !== 'running') return endScript(script, origin);
    if (reported.cellId !== undefined) held.set(`cell ${reported.cellId}`, script);
    return NOT_ENDED;
  };

  return {
    addCall(waiting, line) {
      const { callId } = waiting.call;
      if (ended.has(callId) || running.has(callId) || calls.has(callId)) return [];
      keepNewest(calls, callId, { ...waiting, line }, MAX_WAITING);
      hasScripts ||= waiting.script !== undefined;
      version++;
      return [];
    },
    addOutput(callId, blocks, origin) {
      const open = calls.get(callId);
      if (open === undefined) {
        if (!ended.has(callId)) skip('result of a call that is not in this file');
        return [];
      }
      const reported = parseReportedOutput(blocks.text);
      const result = toResult(open.call, reported, open.facts);
      const timed = result.background === true ? result : withPairedMs(result, open.origin.at, origin.at);
      const nested = isScript(open) ? readScriptOutput(open, reported, blocks, origin) : NOT_ENDED;
      const key = findStdinTarget(open.call);
      const waited = key === undefined ? NOT_ENDED : addToScript(key, reported, blocks, origin);
      const own = nested.isFailureOfCall ? { ...timed, isError: false } : timed;
      return [
        ...nested.events,
        ...end(open, own, toRunningKey(reported)),
        ...waited.events,
        ...endStdinTarget(open, key, reported, origin, waited.isFailureOfCall),
      ];
    },
    addFacts(waiting, facts, endedAt) {
      const { callId } = waiting.call;
      const begun = running.get(callId);
      if (begun !== undefined) {
        const call = begun.call.input.json === '' ? waiting.call : begun.call;
        const origin = { ...waiting.origin, at: endedAt };
        running.set(callId, { ...begun, call, ended: { result: toFactsResult(facts), origin } });
        version++;
        return [];
      }
      const open = calls.get(callId);
      if (open === undefined) return ended.has(callId) ? [] : endByRow(waiting, facts, endedAt);
      // Older builds name the tool of a server only in the event.
      const call = open.call.tool === 'other' && waiting.call.tool.startsWith('mcp:') ? waiting.call : open.call;
      calls.set(callId, { ...open, call, facts });
      return [];
    },
    addDone: (waiting, result) => (ended.has(waiting.call.callId) ? [] : end(waiting, result)),
    abandon(isInterrupted) {
      const nested = listScripts(isInterrupted ? 'terminated' : 'running').flatMap(
        (script) => endScript(script).events,
      );
      const left = [...calls.values()];
      for (const { call } of left) close(call.callId);
      const unreported = [...running.values()].flatMap(toUnreported);
      for (const [id, { unreported: _, ...call }] of running)
        running.set(id, call.ended === undefined ? call : { ...call, ended: { ...call.ended, isReported: true } });
      version++;
      held.clear();
      rows = [];
      return [...nested, ...unreported, ...left.map((open) => toLeft(open, isInterrupted))];
    },
    leave: () => [
      ...listScripts('running').flatMap((script) => read(script).calls.map((made) => toEnded(made, made.result))),
      ...[...running.values()].flatMap(toUnreported),
      ...[...calls.values()].map((open) => toLeft(open, false)),
    ],
    get oldestLine() {
      // Called for every line, and most sessions have no scripts.
      const scripts = hasScripts ? [...held.values()].map(({ open }) => open.line) : [];
      return findLeast(first(calls.values())?.line, ...scripts, ...[...running.values()].map(toPendingLine));
    },
    get notes() {
      return { running: [...running.values()].flatMap(toNotes), open: [...calls.keys()] };
    },
    get hasScripts() {
      return hasScripts;
    },
    get version() {
      return version;
    },
  };
}

/** The facts are known but the output row is missing: the line is lost, or the client died between the two. */
function toLeft(open: OpenCall, isInterrupted: boolean): EventOf<'call-ended'> {
  if (open.facts !== undefined) return toEnded(open, toFactsResult(open.facts));
  return toEnded(open, isInterrupted ? { isError: false, text: '', cancelled: true } : UNENDED);
}

function toRunningKey(reported: ReportedOutput): string | undefined {
  if (reported.sessionId !== undefined) return `session ${reported.sessionId}`;
  return reported.cellId === undefined ? undefined : `cell ${reported.cellId}`;
}

const STDIN_TOOLS: Readonly<Record<string, { readonly word: string; readonly field: RegExp }>> = {
  write_stdin: { word: 'session', field: /"session_id":\s*"?(\d+)/ },
  wait: { word: 'cell', field: /"cell_id":\s*"?([\w-]+)/ },
};

/** In the JSON of what is written to a command. */
const CTRL_C = /"chars":\s*"[^"]*\\u0003/;

function findStdinTarget({ rawTool, input }: StartedCall): string | undefined {
  const speaker = Object.hasOwn(STDIN_TOOLS, rawTool) ? STDIN_TOOLS[rawTool] : undefined;
  const id = speaker?.field.exec(input.json)?.[1];
  return speaker === undefined || id === undefined ? undefined : `${speaker.word} ${id}`;
}

/** Undefined while the command runs, and if the answer is not about it. */
function findStdinEnd(call: StartedCall, reported: ReportedOutput): CallResult | undefined {
  const isOver = reported.exitCode !== undefined || (reported.script !== undefined && reported.script !== 'running');
  if (!isOver) return undefined;
  // The duration is that of the last look at the command.
  const { durationMs: _, ...result } = toResult(call, reported, undefined);
  return result;
}

/** The duration of each call of a script is unknown; together they took as long as the script. */
function toShare(from: string, to: string, count: number): number | undefined {
  const elapsedMs = toElapsedMs(from, to);
  return elapsedMs === undefined || elapsedMs === 0 || count === 0 ? undefined : Math.round(elapsedMs / count);
}

function withShare(result: CallResult, gapMs: number | undefined): CallResult {
  const isKnown = result.durationMs !== undefined || result.background === true || result.unended === true;
  return isKnown || gapMs === undefined ? result : { ...result, gapMs };
}

function toUnreported(begun: RunningCall): Events {
  const { call, origin, unreported, ended } = begun;
  if (ended !== undefined) return ended.isReported ? [] : [toBackgroundEnd(begun, ended)];
  return unreported === undefined || !('agent' in origin) ? [] : [toEnded({ origin, call }, unreported)];
}

function toBackgroundEnd(
  { call, origin: start }: RunningCall,
  { result, origin }: Pick<UnreadEnd, 'result' | 'origin'>,
  seenAt?: number,
): EventOf<'background-ended'> {
  const place = dropAbsent({ ...origin, ...start, line: seenAt ?? start.line });
  return { ...place, kind: 'background-ended', ...call, result: withPairedMs(result, start.at, origin.at) };
}

/** A command that was started and has not ended; a row follows once it has. */
function findRowKey({ tool, input }: StartedCall, { unended, cancelled }: CallResult): string | undefined {
  return tool === 'shell' && (unended === true || cancelled === true) ? `command ${input.command}` : undefined;
}

function isScript(open: OpenCall): open is OpenCall & { readonly script: Script } {
  return open.script !== undefined;
}

/** The row from which a later reader must see the call again. */
function toPendingLine({ origin, unreported, ended }: RunningCall): number | undefined {
  if (unreported !== undefined) return origin.line;
  return ended?.isReported ? undefined : ended?.origin.line;
}

function findLeast(...lines: readonly (number | undefined)[]): number | undefined {
  const known = lines.filter((line) => line !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Not calls that a later reader sees from their start, and without a command's text, which is not redacted yet. */
function toNotes({ key, call, origin, unreported, isInterrupted }: RunningCall): readonly RunningNote[] {
  if (unreported !== undefined || key.startsWith('command ')) return [];
  const { callId, rawTool } = call;
  return [dropAbsent({ callId, key, rawTool, line: origin.line ?? 0, at: origin.at, isInterrupted })];
}

function toNoted({ callId, key, rawTool, line, at, isInterrupted }: RunningNote): RunningCall {
  const call = { callId, rawTool, tool: toToolName(rawTool), input: { json: '' } };
  return dropAbsent({ key, origin: { line, at }, call, isInterrupted });
}

function first<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value;
  return undefined;
}
