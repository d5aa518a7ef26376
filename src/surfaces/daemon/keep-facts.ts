/** Capture -> keep: facts become sessions, calls and deliveries. Taking the same facts twice changes nothing. */
import type { Fact } from '../../base/fact.ts';
import type { Store } from '../../base/store.ts';
import { keepSessions } from './keep-sessions.ts';

export async function keepFacts(store: Store, facts: readonly Fact[]): Promise<void> {
  await keepSessions(store, facts.map(toSight));
  const calls = facts.filter((fact) => fact.kind === 'call');
  for (const how of ['observed', 'hearsay'] as const) {
    const told = calls.filter((fact) => fact.how === how).map((fact) => fact.call);
    if (told.length > 0) await store.saveCalls(told, how);
  }
  await keepDeliveries(store, facts);
}

export async function keepDeliveries(store: Store, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) if (fact.kind === 'delivered') await store.saveDelivery(fact.delivery);
}

function toSight(fact: Fact) {
  const { agent, sessionId, at, cwd } = fact;
  return {
    agent,
    sessionId,
    at,
    source: 'hook' as const,
    ...(cwd === undefined ? {} : { cwd }),
    ...(fact.kind === 'ended' ? { endReason: fact.reason } : {}),
  };
}
