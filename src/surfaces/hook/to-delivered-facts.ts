/** Deliveries as facts, so that they are recorded as reliably as calls are. */
import type { Delivery } from '../../base/delivery.ts';
import type { AgentEvent } from '../../base/event.ts';
import { FACT_VERSION, type Fact } from '../../base/fact.ts';

export function toDeliveredFacts(event: AgentEvent, deliveries: readonly Delivery[]): readonly Fact[] {
  return deliveries.map((delivery) => ({
    v: FACT_VERSION,
    agent: event.agent,
    sessionId: event.sessionId,
    at: event.at,
    kind: 'delivered',
    delivery,
  }));
}
