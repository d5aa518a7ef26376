/** What was said, as facts: recorded as reliably as calls are. */
import type { AgentEvent } from '../../base/event.ts';
import { FACT_VERSION, type Fact } from '../../base/fact.ts';
import type { Decision } from './decide-reply.ts';

export function toDecisionFacts(
  event: AgentEvent,
  { deliveries, told, unsaid = [], reply, asked }: Decision,
): readonly Fact[] {
  const { agent, sessionId, at, contextId } = event;
  const callId = event.kind === 'call-started' ? event.callId : undefined;
  const origin = { v: FACT_VERSION, agent, sessionId, at };
  return [
    ...deliveries.map((delivery): Fact => ({ ...origin, kind: 'delivered', delivery })),
    ...(unsaid.length > 0 && callId !== undefined
      ? [{ ...origin, kind: 'unsaid' as const, contextId, callId, unsaid }]
      : []),
    ...(told === undefined ? [] : [{ ...origin, kind: 'briefed' as const, ...told }]),
    // All that the model reads of us. What only the user sees costs no tokens.
    ...(reply === undefined
      ? []
      : [
          {
            ...{ ...origin, kind: 'added' as const, contextId, callId: callId ?? '' },
            reply: reply.kind,
            bytes: Buffer.byteLength(reply.kind === 'refusal' ? reply.reason : reply.context),
            version: asked,
          },
        ]),
  ];
}
