/**
 * Pairs calls with their results while a transcript of Claude Code is read: calls that wait for a result, results that
 * came before their call, and calls that continue in the background. The memo carries unfinished calls to the next read
 * of the file; it contains no text of any call, because it is stored on disk.
 */

import { keepNewest } from '../../base/bounded-memory.ts';
import type { AgentEvent, EventOf, EventOrigin, StartedCall } from '../../base/model/event.ts';
import { isRecord } from '../../base/records.ts';
import { toCanonicalTool } from '../calls.ts';
import { type BegunCall, toEnded, toUnended, withPairedMs } from '../history-events.ts';
import { findNumber, findText, findTexts, findWire, parseMemo, toWires, type Wire } from '../wire.ts';
import { CALL_FACTS, readCall } from './calls.ts';
import { type BackgroundEnd, toDoneResult, toReportedResult, toText } from './results.ts';
import type { RowWire } from './wire.ts';

/** A call that was already reported and may be reported again. */
interface ReportedCall {
  readonly call: StartedCall;
  /** Only line and time, without the input, if an earlier reader saw the start. */
  readonly origin: EventOrigin | Pick<CallNote, 'contextId' | 'line' | 'at'>;
  readonly taskId?: string | undefined;
  /** Its result may still come. */
  readonly isLate?: true;
}

interface EarlyResult extends TranscriptResult {
  readonly line: number;
}

type Ended = readonly EventOf<'call-ended'>[];

interface Pairs {
  addCall(waiting: BegunCall, line: number): Ended;
  /** A hook changed the input before the call ran. */
  changeInput(callId: string, input: Wire): void;
  /** `origin`: of the result. */
  addResult(result: TranscriptResult, origin: EventOrigin, line: number): readonly AgentEvent[];
  /** `origin`: of the notification. */
  endBackground(end: BackgroundEnd, origin: EventOrigin): readonly AgentEvent[];
  /** The context continues without the results that it still waits for, so these calls have ended somehow. */
  abandon(contextId: string): Ended;
  /** The waiting calls, as never ended. They keep waiting. */
  leave(): Ended;
  /** The line of the oldest row that waits. */
  readonly oldestLine: number | undefined;
  /** For a reader that continues here. The same list as long as nothing has changed. */
  readonly notes: readonly CallNote[];
}

/** Far more than any turn has; bounds the memory on a broken file. */
const MAX_WAITING = 1000;
const MAX_NOTES = 20;

export function openPairs(skip: (reason: string) => unknown, noted: readonly CallNote[] = []): Pairs {
  const calls = new Map<string, BegunCall & { readonly line: number }>();
  const results = new Map<string, EarlyResult>();
  /** Abandoned calls, because a prompt that was typed meanwhile can precede the result; and background calls. */
  const reported = new Map<string, ReportedCall>(noted.map((note) => [note.callId, toNoted(note)]));
  let notes: readonly CallNote[] | undefined = noted;

  const keepReported = (id: string, call?: ReportedCall): void => {
    reported.delete(id);
    if (call !== undefined) keepNewest(reported, id, call, MAX_WAITING);
    notes = undefined;
  };
  const end = (waiting: BegunCall, result: TranscriptResult): Ended => {
    const ended = endCall(waiting, result);
    if (ended.result.background === true) {
      keepReported(waiting.call.callId, { ...waiting, taskId: findTaskId(result.output) });
    }
    return [ended];
  };
  const endLate = (late: ReportedCall, result: TranscriptResult, origin: EventOrigin): readonly AgentEvent[] => {
    keepReported(late.call.callId);
    if ('agent' in late.origin) return end({ call: late.call, origin: late.origin }, result);
    return [{ ...endCall({ origin: toBegun(late, origin), call: late.call }, result), kind: 'background-ended' }];
  };
  const dropResult = (id: string) => results.delete(id) && skip('result of a call that is not in this file');
  const findTask = (taskId: string | undefined): ReportedCall | undefined =>
    taskId === undefined ? undefined : [...reported.values()].findLast((call) => call.taskId === taskId);

  return {
    addCall(waiting, line) {
      const id = waiting.call.callId;
      const early = results.get(id);
      if (early !== undefined) {
        results.delete(id);
        return end(waiting, early);
      }
      keepNewest(calls, id, { ...waiting, line }, MAX_WAITING);
      return [];
    },
    changeInput(callId, input) {
      const waiting = calls.get(callId);
      if (waiting !== undefined) calls.set(callId, { ...waiting, call: readCall(waiting.call.rawTool, input, callId) });
    },
    addResult(result, origin, line) {
      const waiting = calls.get(result.callId);
      if (waiting !== undefined) {
        calls.delete(result.callId);
        return end(waiting, result);
      }
      const late = reported.get(result.callId);
      if (late?.isLate === true) return endLate(late, result, origin);
      results.set(result.callId, { ...result, line });
      if (results.size > MAX_WAITING) dropResult(results.keys().next().value ?? '');
      return [];
    },
    endBackground(ended, origin) {
      const begun = reported.get(ended.callId ?? '') ?? findTask(ended.taskId);
      const callId = begun?.call.callId ?? ended.callId;
      if (callId === undefined) return [];
      const call = begun?.call ?? { ...ended.call, callId, input: { json: '' } };
      const from = begun === undefined ? origin : toBegun(begun, origin);
      const result = begun === undefined ? ended.result : withPairedMs(ended.result, begun.origin.at, origin.at);
      return [{ ...from, kind: 'background-ended', ...call, result }];
    },
    abandon(contextId) {
      const left = [...calls.values()].filter((waiting) => waiting.origin.contextId === contextId);
      for (const { origin, call } of left) {
        calls.delete(call.callId);
        keepReported(call.callId, { origin, call, isLate: true });
      }
      for (const id of results.keys()) dropResult(id);
      return left.map(toUnended);
    },
    leave: () => [...calls.values()].map(toUnended),
    get oldestLine() {
      // Called for every line, so no list is built.
      const call = firstValue(calls)?.line;
      const result = firstValue(results)?.line;
      return call === undefined || (result !== undefined && result < call) ? result : call;
    },
    get notes() {
      notes ??= [...reported.values()].slice(-MAX_NOTES).map(toNote);
      return notes;
    },
  };
}

/** The id in the notification of its end: of the task for a command, of the sub-agent itself otherwise. */
function findTaskId(output: unknown): string | undefined {
  return isRecord(output) ? (findText(output, 'backgroundTaskId') ?? findText(output, 'agentId')) : undefined;
}

function endCall(begun: BegunCall, recorded: TranscriptResult): EventOf<'call-ended'> {
  const { content, output = content, at, ...reported } = recorded;
  const result = reported.isError ? toReportedResult({ content, ...reported }) : toDoneResult(begun.call.tool, output);
  const isTimed = at !== undefined && result.background !== true;
  return toEnded(begun, isTimed ? withPairedMs(result, begun.origin.at, at) : result);
}

/** The place and time of the start; the other fields are the current ones if they were not noted. */
function toBegun({ origin }: ReportedCall, now: EventOrigin): EventOrigin {
  return 'agent' in origin ? origin : { ...now, ...origin };
}

function toNote({ call, origin, taskId, isLate }: ReportedCall): CallNote {
  const { contextId, line = 0, at } = origin;
  return { callId: call.callId, taskId, rawTool: call.rawTool, contextId, line, at, ...(isLate ? { isLate } : {}) };
}

function toNoted({ callId, taskId, rawTool, contextId, line, at, isLate }: CallNote): ReportedCall {
  return {
    ...(isLate ? { isLate } : {}),
    call: { callId, rawTool, tool: toCanonicalTool(CALL_FACTS, rawTool), input: { json: '' } },
    origin: { contextId, line, at },
    taskId,
  };
}

function firstValue<V>(map: ReadonlyMap<string, V>): V | undefined {
  return map.size === 0 ? undefined : map.values().next().value;
}

interface TranscriptResult {
  readonly callId: string;
  /** The time of the result. */
  readonly at: string | undefined;
  readonly isError: boolean;
  /** The model's copy of the result. */
  readonly content: string;
  /** The tool's own output object; in sub-agent files often absent. */
  readonly output: unknown;
  readonly denialKind: string | undefined;
  /** The user's comment on a refusal, if the row has it beside the text. */
  readonly userWords: string | undefined;
}

/** The results in one user row of a transcript. */
export function toResults(row: RowWire): readonly TranscriptResult[] {
  if (row.type !== 'user') return [];
  const blocks = toWires(findWire(row, 'message')?.content).filter((block) => block.type === 'tool_result');
  const beside = {
    at: findText(row, 'timestamp'),
    denialKind: findText(row, 'toolDenialKind'),
    userWords: findText(row, 'userFeedback'),
  };
  return blocks.flatMap((block) => {
    const callId = findText(block, 'tool_use_id');
    if (callId === undefined) return [];
    // The output object belongs to the row; with several results in the row, its owner is unknown.
    const output = blocks.length === 1 && isRecord(row.toolUseResult) ? row.toolUseResult : undefined;
    return { callId, isError: block.is_error === true, content: toText(block.content), output, ...beside };
  });
}

/** The memo for the next reader of the file. */
interface Memo {
  /** When the file began, as long as its rows may be copies of older ones. */
  readonly bornAt?: string | undefined;
  readonly calls: readonly CallNote[];
}

/** A call that was reported and may be reported again: left running, or abandoned by a new turn. */
interface CallNote {
  readonly callId: string;
  readonly taskId?: string | undefined;
  readonly rawTool: string;
  /** Its result may still come. */
  readonly isLate?: true;
  readonly contextId: string;
  /** The line of its start. */
  readonly line: number;
  readonly at: string;
}

/** Undefined if there is nothing to note. */
export function renderMemo({ bornAt, calls }: Memo): string | undefined {
  return bornAt === undefined && calls.length === 0 ? undefined : JSON.stringify({ bornAt, calls });
}

/** Empty for anything but our own memo. */
export function parseNotes(text: string | undefined): Memo {
  const wire = parseMemo(text);
  return { bornAt: findText(wire, 'bornAt'), calls: toWires(wire.calls).flatMap(parseNote) };
}

function parseNote(wire: Wire): readonly CallNote[] {
  const texts = findTexts(wire, 'callId', 'rawTool', 'at');
  const line = findNumber(wire, 'line');
  if (texts === undefined || line === undefined) return [];
  const contextId = findText(wire, 'contextId') ?? '';
  const taskId = findText(wire, 'taskId');
  return [{ ...texts, taskId, contextId, line, ...(wire.isLate === true ? { isLate: true } : {}) }];
}
