/** Calls that wait for what came of them, and calls that were left running. */
import type { AgentEvent, EventOf, EventOrigin, StartedCall } from '../../base/event.ts';
import type { CallResult } from '../../base/outcome.ts';
import { toElapsedMs } from '../../base/to-elapsed-ms.ts';
import type { Memo, RunningNote } from './memo.ts';
import { parseTold, type Told } from './parse-told.ts';
import type { EndFacts } from './to-end-facts.ts';
import { toFactsResult, toResult } from './to-result.ts';
import { toToolName } from './to-tool-name.ts';

export interface WaitingCall {
  readonly origin: EventOrigin;
  readonly call: StartedCall;
}

interface OpenCall extends WaitingCall {
  readonly line: number;
  readonly facts?: EndFacts;
}

interface RunningCall {
  readonly key: string;
  readonly call: StartedCall;
  /** Only place and time where an earlier reader saw the start, and no input. */
  readonly origin: EventOrigin | Pick<RunningNote, 'line' | 'at'>;
}

type Events = readonly AgentEvent[];
type CallNotes = Pick<Memo, 'running' | 'open'>;

export interface Calls {
  addCall(waiting: WaitingCall, line: number): Events;
  /** What the model was told. `origin` is that of the telling. */
  addTold(callId: string, text: string, origin: EventOrigin): Events;
  /** The end as an item or event tells it; `waiting` is what that row says of the call itself. */
  addFacts(waiting: WaitingCall, facts: EndFacts, endedAt: string): Events;
  /** A whole call in one row. */
  addDone(waiting: WaitingCall, result: CallResult): Events;
  /** The thread goes on without the results it still waits for. */
  abandon(isInterrupted: boolean): Events;
  /** What still waits, as never ended. It goes on waiting. */
  leave(): Events;
  readonly oldestLine: number | undefined;
  readonly notes: CallNotes;
  /** Changes with the notes. */
  readonly version: number;
}

/** Far more than any turn has; the bounds keep memory constant on a broken file. */
const MAX_WAITING = 1000;
const MAX_ENDED = 5000;
const MAX_RUNNING = 50;

export function openCalls(noted: CallNotes, skip: (reason: string) => unknown): Calls {
  const calls = new Map<string, OpenCall>();
  const running = new Map<string, RunningCall>(noted.running.map((note) => [note.callId, toNoted(note)]));
  /** Ended: what is told of them again is the same once more. */
  const ended = new Set<string>(noted.open);
  let version = 0;

  const close = (callId: string): void => {
    calls.delete(callId);
    ended.add(callId);
    version++;
    if (ended.size > MAX_ENDED) ended.delete(first(ended.keys()) ?? '');
  };
  const endRunning = (begun: RunningCall, result: CallResult, origin: EventOrigin): Events => {
    running.delete(begun.call.callId);
    version++;
    const pairedMs = toElapsedMs(begun.origin.at, origin.at);
    const told = { ...result, ...(pairedMs === undefined ? {} : { pairedMs }) };
    return [{ ...origin, ...begun.origin, kind: 'background-ended', ...begun.call, result: told }];
  };
  const end = (waiting: WaitingCall, result: CallResult, key?: string): Events => {
    close(waiting.call.callId);
    if (result.background === true && key !== undefined) {
      running.set(waiting.call.callId, { key, ...waiting });
      if (running.size > MAX_RUNNING) running.delete(first(running.keys()) ?? '');
    }
    return [toEnded(waiting, result)];
  };
  /** Speaking to a running command or script tells how that one is. */
  const endSpokenTo = (speaker: StartedCall, told: Told, origin: EventOrigin): Events => {
    const key = findSpokenTo(speaker);
    const begun = key === undefined ? undefined : [...running.values()].find((call) => call.key === key);
    const result = begun === undefined ? undefined : findSpokenEnd(begun.call, told);
    return begun === undefined || result === undefined ? [] : endRunning(begun, result, origin);
  };

  return {
    addCall(waiting, line) {
      const { callId } = waiting.call;
      if (ended.has(callId) || running.has(callId) || calls.has(callId)) return [];
      calls.set(callId, { ...waiting, line });
      version++;
      if (calls.size > MAX_WAITING) calls.delete(first(calls.keys()) ?? '');
      return [];
    },
    addTold(callId, text, origin) {
      const open = calls.get(callId);
      if (open === undefined) {
        if (!ended.has(callId)) skip('result of a call that is not in this file');
        return [];
      }
      const told = parseTold(text);
      const result = toResult(open.call, told, open.facts);
      const pairedMs = result.background === true ? undefined : toElapsedMs(open.origin.at, origin.at);
      const timed = { ...result, ...(pairedMs === undefined ? {} : { pairedMs }) };
      return [...end(open, timed, toRunningKey(told)), ...endSpokenTo(open.call, told, origin)];
    },
    addFacts(waiting, facts, endedAt) {
      const { callId } = waiting.call;
      const begun = running.get(callId);
      if (begun !== undefined) {
        const call = begun.call.input.json === '' ? waiting.call : begun.call;
        return endRunning({ ...begun, call }, toFactsResult(facts), { ...waiting.origin, at: endedAt });
      }
      const open = calls.get(callId);
      if (open === undefined) return ended.has(callId) ? [] : end(waiting, toFactsResult(facts));
      // An older build names a server's tool in the event only.
      const call = open.call.tool === 'other' && waiting.call.tool.startsWith('mcp:') ? waiting.call : open.call;
      calls.set(callId, { ...open, call, facts });
      return [];
    },
    addDone: (waiting, result) => (ended.has(waiting.call.callId) ? [] : end(waiting, result)),
    abandon(isInterrupted) {
      const left = [...calls.values()];
      for (const { call } of left) close(call.callId);
      return left.map((open) => toLeft(open, isInterrupted));
    },
    leave: () => [...calls.values()].map((open) => toLeft(open, false)),
    get oldestLine() {
      return first(calls.values())?.line;
    },
    get notes() {
      return { running: [...running.values()].map(toNote), open: [...calls.keys()] };
    },
    get version() {
      return version;
    },
  };
}

function toEnded({ origin, call }: WaitingCall, result: CallResult): EventOf<'call-ended'> {
  return { ...origin, kind: 'call-ended', ...call, result };
}

/** The facts were there and the telling was not: the line is lost, or the client died between the two. */
function toLeft({ origin, call, facts }: OpenCall, isInterrupted: boolean): EventOf<'call-ended'> {
  if (facts !== undefined) return toEnded({ origin, call }, toFactsResult(facts));
  const how = isInterrupted ? { cancelled: true } : { unended: true };
  return toEnded({ origin, call }, { isError: false, text: '', ...how });
}

function toRunningKey(told: Told): string | undefined {
  if (told.sessionId !== undefined) return `session ${told.sessionId}`;
  return told.cellId === undefined ? undefined : `cell ${told.cellId}`;
}

const SPEAKERS: Readonly<Record<string, { readonly word: string; readonly field: RegExp }>> = {
  write_stdin: { word: 'session', field: /"session_id":\s*"?(\d+)/ },
  wait: { word: 'cell', field: /"cell_id":\s*"?([\w-]+)/ },
};

function findSpokenTo({ rawTool, input }: StartedCall): string | undefined {
  const speaker = Object.hasOwn(SPEAKERS, rawTool) ? SPEAKERS[rawTool] : undefined;
  const id = speaker?.field.exec(input.json)?.[1];
  return speaker === undefined || id === undefined ? undefined : `${speaker.word} ${id}`;
}

/** Undefined while it still runs, and where the answer is not about it. */
function findSpokenEnd(call: StartedCall, told: Told): CallResult | undefined {
  const isOver = told.exitCode !== undefined || (told.script !== undefined && told.script !== 'running');
  if (!isOver) return undefined;
  // The time is that of the last look at it.
  const { durationMs: _, ...result } = toResult(call, told, undefined);
  return result;
}

function toNote({ key, call, origin }: RunningCall): RunningNote {
  return { callId: call.callId, key, rawTool: call.rawTool, line: origin.line ?? 0, at: origin.at };
}

function toNoted({ callId, key, rawTool, line, at }: RunningNote): RunningCall {
  return { key, origin: { line, at }, call: { callId, rawTool, tool: toToolName(rawTool), input: { json: '' } } };
}

function first<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value;
  return undefined;
}
