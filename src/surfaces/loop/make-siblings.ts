/** Calls that ran side by side, as far as hooks told of their beginnings: what was said at one the other had not heard. */
import type { LiveCall } from '../../base/call.ts';
import type { AgentEvent, EventOf } from '../../base/event.ts';
import type { ToldCalls } from './to-live-calls.ts';

export interface Siblings {
  /** The calls that these events tell, each with those that were under way when it began. */
  mark(events: readonly AgentEvent[], calls: ToldCalls): ToldCalls;
}

/** By then no tool is at work: whatever was not told to have ended was refused, or lost. */
const REST = new Set(['prompted', 'turn-ended', 'interrupted', 'session-started', 'session-ended', 'subagent-ended']);
/** The end of a call may never be told; agents let few run longer. */
const MAX_MS = 10 * 60_000;
/** Far more than are at work at once. */
const MAX_CONTEXTS = 1_000;

interface Begun {
  readonly at: string;
  readonly beside: readonly string[];
  /** The batch told its end; its own event may still come. */
  readonly isTold?: true;
}

export function makeSiblings(): Siblings {
  /** By context, then by call. */
  const open = new Map<string, Map<string, Begun>>();

  const start = (event: EventOf<'call-started'>): void => {
    const context = open.get(toKey(event)) ?? new Map<string, Begun>();
    const since = Date.parse(event.at) - MAX_MS;
    for (const [id, { at }] of context) if (Date.parse(at) < since) context.delete(id);
    const beside = [...context].filter(([id, one]) => id !== event.callId && !one.isTold).map(([id]) => id);
    context.set(event.callId, { at: event.at, beside });
    open.set(toKey(event), context);
    if (open.size > MAX_CONTEXTS) open.delete(open.keys().next().value ?? '');
  };
  const tell = (event: EventOf<'batch-ended'>): void => {
    const context = open.get(toKey(event));
    for (const { callId } of event.calls) {
      const begun = context?.get(callId);
      if (begun !== undefined) context?.set(callId, { ...begun, isTold: true });
    }
  };
  /** Gives those that it ran beside. */
  const end = (event: AgentEvent, callId: string): readonly string[] => {
    const context = open.get(toKey(event));
    const { beside = [] } = context?.get(callId) ?? {};
    context?.delete(callId);
    return beside;
  };

  return {
    mark(events, calls) {
      const found = new Map<string, readonly string[]>();
      for (const event of events) {
        if (event.kind === 'call-started') start(event);
        if (event.kind === 'batch-ended') tell(event);
        if (REST.has(event.kind)) open.delete(toKey(event));
        if (event.kind !== 'call-ended') continue;
        const beside = end(event, event.callId);
        if (beside.length > 0) found.set(`${toKey(event)}\n${event.callId}`, beside);
      }
      return found.size === 0 ? calls : { ...calls, observed: calls.observed.map((call) => withBeside(call, found)) };
    },
  };
}

function withBeside(call: LiveCall, found: ReadonlyMap<string, readonly string[]>): LiveCall {
  const beside = found.get(`${toKey(call)}\n${call.callId}`);
  return beside === undefined ? call : { ...call, beside };
}

function toKey({ agent, sessionId, contextId }: AgentEvent | LiveCall): string {
  return `${agent}\n${sessionId}\n${contextId}`;
}
