/** Calls that wait for their result, and results that came before their call. */
import type { EventOf, EventOrigin, StartedCall } from '../../base/event.ts';
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
  /** Nothing will answer any more what this context still waits for. */
  abandon(contextId: string): void;
  /** The line of the oldest row that waits. */
  readonly oldestLine: number | undefined;
}

/** Far more than any turn has; the bound keeps memory constant on a broken file. */
const MAX_WAITING = 1000;

export function openPairs(skip: (reason: string) => unknown): Pairs {
  const calls = new Map<string, WaitingCall & { readonly line: number }>();
  const results = new Map<string, TranscriptResult & { readonly line: number }>();

  const dropCall = (id: string) => calls.delete(id) && skip('call without result');
  const dropResult = (id: string) => results.delete(id) && skip('result without call');

  return {
    addCall(waiting, line) {
      const id = waiting.call.callId;
      const early = results.get(id);
      if (early !== undefined) {
        results.delete(id);
        return [toEnded(waiting, early)];
      }
      calls.set(id, { ...waiting, line });
      if (calls.size > MAX_WAITING) dropCall(firstKey(calls));
      return [];
    },
    addResult(result, line) {
      const waiting = calls.get(result.callId);
      if (waiting !== undefined) {
        calls.delete(result.callId);
        return [toEnded(waiting, result)];
      }
      results.set(result.callId, { ...result, line });
      if (results.size > MAX_WAITING) dropResult(firstKey(results));
      return [];
    },
    abandon(contextId) {
      for (const [id, waiting] of calls) if (waiting.origin.contextId === contextId) dropCall(id);
      for (const id of results.keys()) dropResult(id);
    },
    get oldestLine() {
      const lines = [firstValue(calls)?.line, firstValue(results)?.line].filter((line) => line !== undefined);
      return lines.length === 0 ? undefined : Math.min(...lines);
    },
  };
}

function toEnded({ origin, call }: WaitingCall, told: TranscriptResult): EventOf<'call-ended'> {
  const result = told.isError
    ? toToldResult({
        isError: true,
        content: told.content,
        ...(told.denialKind === undefined ? {} : { denialKind: told.denialKind }),
      })
    : toDoneResult(call.tool, told.output ?? told.content);
  return { ...origin, kind: 'call-ended', ...call, result };
}

function firstKey(map: ReadonlyMap<string, unknown>): string {
  return map.keys().next().value ?? '';
}

function firstValue<V>(map: ReadonlyMap<string, V>): V | undefined {
  return map.values().next().value;
}
