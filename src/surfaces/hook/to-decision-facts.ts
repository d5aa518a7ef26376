/** What was said, as facts: recorded as reliably as calls are. */
import type { AgentEvent } from '../../base/event.ts';
import { FACT_VERSION, type Fact } from '../../base/fact.ts';
import type { Decision } from './decide-reply.ts';

export function toDecisionFacts(event: AgentEvent, { deliveries, told, unsaid = [] }: Decision): readonly Fact[] {
  const { agent, sessionId, at } = event;
  const origin = { v: FACT_VERSION, agent, sessionId, at };
  return [
    ...deliveries.map((delivery): Fact => ({ ...origin, kind: 'delivered', delivery })),
    ...(unsaid.length > 0 && event.kind === 'call-started'
      ? [{ ...origin, kind: 'unsaid' as const, contextId: event.contextId, callId: event.callId, unsaid }]
      : []),
    ...(told === undefined ? [] : [{ ...origin, kind: 'briefed' as const, ...told }]),
  ];
}
