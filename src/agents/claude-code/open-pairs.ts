/** Calls that wait for their result, results that came before their call, and calls that go on in the background. */
import type { AgentEvent, EventOf, EventOrigin, StartedCall } from '../../base/event.ts';
import { toElapsedMs } from '../../base/to-elapsed-ms.ts';
import { findText, isWire } from '../wire.ts';
import type { BackgroundEnd } from './parse-notification.ts';
import { toDoneResult, toToldResult } from './to-result.ts';
import type { TranscriptResult } from './to-results.ts';

export interface WaitingCall {
  readonly origin: EventOrigin;
  readonly call: StartedCall;
}

type Ended = readonly EventOf<'call-ended'>[];

export interface Pairs {
  addCall(waiting: WaitingCall, line: number): Ended;
  addResult(result: TranscriptResult, line: number): Ended;
  /** The origin is that of the notification. */
  endBackground(end: BackgroundEnd, origin: EventOrigin): readonly AgentEvent[];
  /** The context goes on without the results it still waits for: those calls have ended somehow. */
  abandon(contextId: string): Ended;
  /** What still waits, as never ended. It goes on waiting. */
  leave(): Ended;
  /** The line of the oldest row that waits. */
  readonly oldestLine: number | undefined;
}

/** Far more than any turn has; the bound keeps memory constant on a broken file. */
const MAX_WAITING = 1000;

export function openPairs(skip: (reason: string) => unknown): Pairs {
  const calls = new Map<string, WaitingCall & { readonly line: number }>();
  const results = new Map<string, TranscriptResult & { readonly line: number }>();
  /** Abandoned: a prompt that was typed meanwhile can stand before the result. */
  const late = new Map<string, WaitingCall>();
  /** By call id and by task id. */
  const running = new Map<string, WaitingCall>();

  const end = (waiting: WaitingCall, told: TranscriptResult): Ended => {
    const ended = toEnded(waiting, told);
    if (ended.result.background === true) {
      const taskId = isWire(told.output) ? findText(told.output, 'backgroundTaskId') : undefined;
      for (const id of [waiting.call.callId, taskId]) if (id !== undefined) keep(running, id, waiting);
    }
    return [ended];
  };
  const dropResult = (id: string) => results.delete(id) && skip('result without call');

  return {
    addCall(waiting, line) {
      const id = waiting.call.callId;
      const early = results.get(id);
      if (early !== undefined) {
        results.delete(id);
        return end(waiting, early);
      }
      calls.set(id, { ...waiting, line });
      if (calls.size > MAX_WAITING) calls.delete(firstKey(calls));
      return [];
    },
    addResult(result, line) {
      const waiting = calls.get(result.callId) ?? late.get(result.callId);
      if (waiting !== undefined) {
        calls.delete(result.callId);
        late.delete(result.callId);
        return end(waiting, result);
      }
      results.set(result.callId, { ...result, line });
      if (results.size > MAX_WAITING) dropResult(firstKey(results));
      return [];
    },
    endBackground(told, origin) {
      const begun = running.get(told.callId ?? '') ?? running.get(told.taskId ?? '');
      const callId = begun?.call.callId ?? told.callId;
      if (callId === undefined) return [];
      const call = begun?.call ?? { ...told.call, callId, input: { json: '' } };
      const pairedMs = begun === undefined ? undefined : toElapsedMs(begun.origin.at, origin.at);
      const result = { ...told.result, ...(pairedMs === undefined ? {} : { pairedMs }) };
      return [{ ...(begun?.origin ?? origin), kind: 'background-ended', ...call, result }];
    },
    abandon(contextId) {
      const left = [...calls.values()].filter((waiting) => waiting.origin.contextId === contextId);
      for (const { origin, call } of left) {
        calls.delete(call.callId);
        keep(late, call.callId, { origin, call });
      }
      for (const id of results.keys()) dropResult(id);
      return left.map(toUnended);
    },
    leave: () => [...calls.values()].map(toUnended),
    get oldestLine() {
      const lines = [firstValue(calls)?.line, firstValue(results)?.line].filter((line) => line !== undefined);
      return lines.length === 0 ? undefined : Math.min(...lines);
    },
  };
}

function toUnended({ origin, call }: WaitingCall): EventOf<'call-ended'> {
  return { ...origin, kind: 'call-ended', ...call, result: { isError: false, text: '', unended: true } };
}

function toEnded({ origin, call }: WaitingCall, told: TranscriptResult): EventOf<'call-ended'> {
  const { content, denialKind, said, at } = told;
  const result = told.isError
    ? toToldResult({
        isError: true,
        content,
        ...(denialKind === undefined ? {} : { denialKind }),
        ...(said === undefined ? {} : { said }),
      })
    : toDoneResult(call.tool, told.output ?? content);
  const pairedMs = at === undefined || result.background === true ? undefined : toElapsedMs(origin.at, at);
  return {
    ...origin,
    kind: 'call-ended',
    ...call,
    result: { ...result, ...(pairedMs === undefined ? {} : { pairedMs }) },
  };
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  if (map.size > MAX_WAITING) map.delete(firstKey(map));
}

function firstKey(map: ReadonlyMap<string, unknown>): string {
  return map.keys().next().value ?? '';
}

function firstValue<V>(map: ReadonlyMap<string, V>): V | undefined {
  return map.values().next().value;
}
