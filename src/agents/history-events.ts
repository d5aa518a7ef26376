/**
 * The parts that readers of past sessions have in common: the origin of an event, the end of a call, and the count of
 * records that were skipped.
 */
import {
  type AgentEvent,
  type CallResult,
  type EventOf,
  type EventOrigin,
  type StartedCall,
  toElapsedMs,
} from '../base/model/event.ts';
import { dropAbsent } from '../base/records.ts';

type Known = 'agent' | 'sessionId' | 'contextId' | 'at';
type OriginParts = Pick<EventOrigin, Known> & {
  readonly [K in Exclude<keyof EventOrigin, Known | 'source'>]?: EventOrigin[K] | undefined;
};

export function makeOrigin(parts: OriginParts): EventOrigin {
  // In place, because it runs for every row and a copy takes as long as dropping the absent fields.
  return Object.assign(dropAbsent(parts), { source: 'transcript' as const });
}

/** A call and the place and time of its start. */
export interface BegunCall {
  readonly origin: EventOrigin;
  readonly call: StartedCall;
}

export const UNENDED: CallResult = { isError: false, text: '', unended: true };

export function toEnded({ origin, call }: BegunCall, result: CallResult): EventOf<'call-ended'> {
  return { ...origin, kind: 'call-ended', ...call, result };
}

export function toUnended(begun: BegunCall): EventOf<'call-ended'> {
  return toEnded(begun, UNENDED);
}

/** Adds the time between two rows about the call. */
export function withPairedMs(result: CallResult, from: string, to: string): CallResult {
  return dropAbsent({ ...result, pairedMs: toElapsedMs(from, to) });
}

export const NOTHING: readonly AgentEvent[] = [];

/** Counts the records that could not be used, by reason. `skip` returns no events. */
export function openSkips() {
  const skipped = new Map<string, number>();
  const skip = (reason: string): readonly AgentEvent[] => {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return NOTHING;
  };
  return { skipped, skip };
}
