/**
 * Adds to each event what only earlier events show about a call: its duration, if only its start and end were reported;
 * the command of a background task that ended; and that a call was running when its session ended.
 */
import { dropOldest } from '../../base/bounded-memory.ts';
import { type AgentEvent, type EndedCall, type EventOf, toElapsedMs } from '../../base/model/event.ts';
import { isHookRun } from '../../base/model/tool.ts';

interface CallFollower {
  /** Returns the events with data from earlier ones, and an end for each call that a session left open. */
  follow(events: readonly AgentEvent[]): readonly AgentEvent[];
  /** Was the end of this call reported by an event of its own? */
  hasEnded(call: Pick<AgentEvent, 'agent' | 'sessionId'> & { readonly callId: string }): boolean;
}

/** A longer pause between two calls is the user's time, not the call's. */
const MAX_GAP_MS = 5 * 60_000;
/** Far more than run at once; bounds the memory if ends are never reported. */
const MAX_REMEMBERED = 4_000;

interface Open {
  readonly event: EventOf<'call-started'>;
  /** A batch or a transcript reported its end, so the call is not open, though its own event may still come. */
  readonly isReported: boolean;
}

export function makeCallFollower(): CallFollower {
  const open = new Map<string, Open>();
  const ended = new Map<string, true>();
  const running = new Map<string, EventOf<'call-ended'>>();
  const lastAt = new Map<string, string>();

  const start = (event: EventOf<'call-started'>): void => {
    const key = toKey(event, event.callId);
    if (!ended.has(key)) remember(open, key, { event, isReported: false });
  };

  const markReported = (event: AgentEvent, calls: readonly EndedCall[]): void => {
    for (const { callId } of calls) {
      const known = open.get(toKey(event, callId));
      if (known !== undefined) open.set(toKey(event, callId), { ...known, isReported: true });
    }
  };

  const end = (event: EventOf<'call-ended'>): AgentEvent => {
    const key = toKey(event, event.callId);
    const before = open.get(key)?.event;
    // The transcript may be read before the hook of the same call arrives, which still needs the start.
    if (event.source === 'hook') open.delete(key);
    else markReported(event, [event]);
    remember(ended, key, true);
    if (event.result.background === true) remember(running, key, { ...event, at: before?.at ?? event.at });
    const context = toKey(event, event.contextId);
    const previous = lastAt.get(context);
    remember(lastAt, context, event.at);
    return withTime(event, event.source === 'hook' ? before?.at : undefined, previous);
  };

  const endBackground = (event: EventOf<'background-ended'>): AgentEvent => {
    const begun = running.get(toKey(event, event.callId));
    if (begun === undefined) return event;
    const pairedMs = event.result.pairedMs ?? toElapsedMs(begun.at, event.at);
    const { contextId, tool, rawTool, input } = begun;
    const result = { ...event.result, ...(pairedMs === undefined ? {} : { pairedMs }) };
    return { ...event, contextId, tool, rawTool, input: event.input.json === '' ? input : event.input, result };
  };

  const endSession = (event: EventOf<'session-ended'>): readonly AgentEvent[] => {
    const left = [...open].filter(([, { event: begun }]) => isSameSession(begun, event));
    for (const [key] of left) open.delete(key);
    return [...left.filter(([, { isReported }]) => !isReported).map(([, { event: begun }]) => toUnended(begun)), event];
  };

  return {
    follow: (events) =>
      events.flatMap((event): readonly AgentEvent[] => {
        if (event.kind === 'call-started') start(event);
        if (event.kind === 'batch-ended') markReported(event, event.calls);
        if (event.kind === 'call-ended') return [isHookRun(event) ? event : end(event)];
        if (event.kind === 'background-ended') return [endBackground(event)];
        return event.kind === 'session-ended' ? endSession(event) : [event];
      }),
    hasEnded: (call) => ended.has(toKey(call, call.callId)),
  };
}

function withTime(event: EventOf<'call-ended'>, begunAt?: string, previousAt?: string): AgentEvent {
  const { result, at } = event;
  if (result.background === true || result.unended === true) return event;
  if (result.durationMs !== undefined || result.pairedMs !== undefined || result.gapMs !== undefined) return event;
  const pairedMs = begunAt === undefined ? undefined : toElapsedMs(begunAt, at);
  if (pairedMs !== undefined) return { ...event, result: { ...result, pairedMs } };
  const gapMs = previousAt === undefined ? undefined : toElapsedMs(previousAt, at);
  // Calls of a batch have the same time, which says nothing about their duration.
  if (gapMs === undefined || gapMs === 0 || gapMs >= MAX_GAP_MS) return event;
  return { ...event, result: { ...result, gapMs } };
}

function toUnended({ kind: _, subagentType: __, startedAs: ___, ...begun }: EventOf<'call-started'>): AgentEvent {
  return { ...begun, kind: 'call-ended', result: { isError: false, text: '', unended: true } };
}

function isSameSession(a: AgentEvent, b: AgentEvent): boolean {
  return a.agent === b.agent && a.sessionId === b.sessionId;
}

function toKey({ agent, sessionId }: Pick<AgentEvent, 'agent' | 'sessionId'>, id: string): string {
  return `${agent}\n${sessionId}\n${id}`;
}

/** Forgets the oldest entries. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  dropOldest(map, MAX_REMEMBERED);
}
