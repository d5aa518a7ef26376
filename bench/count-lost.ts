/** What the hooks were told and the store, or the spool, does not have. */
import type { Store } from '../src/base/contracts/store.ts';
import { readSpooled } from '../src/capture/journal/read-facts.ts';
import { listSpool } from '../src/capture/journal/spool-files.ts';
import type { HookCall } from './make-hook-calls.ts';

export interface Lost {
  readonly sessions: number;
  readonly deliveries: number;
}

export async function countLost(
  store: Store,
  calls: readonly HookCall[],
  startedAt: string,
  agent = 'claude-code',
): Promise<Lost> {
  let sessions = 0;
  for (const sessionId of new Set(calls.map((call) => call.sessionId))) {
    const session = await store.findSession(agent, sessionId);
    if (session === undefined || session.lastSeenAt < startedAt) sessions++;
  }
  const kept = await store.listDeliveries({ agent });
  return { sessions, deliveries: Math.abs(countDue(calls) - kept.length) };
}

/** Facts that are not where the next daemon will look for them. Each call has a heartbeat, some a delivery as well. */
export function countLostFacts(spoolDir: string, calls: readonly HookCall[]): number {
  const facts = listSpool(spoolDir).flatMap((name) => readSpooled(spoolDir, name).facts);
  const seen = facts.filter((fact) => fact.kind === 'seen').length;
  const delivered = facts.filter((fact) => fact.kind === 'delivered').length;
  return Math.abs(calls.length - seen) + Math.abs(countDue(calls) - delivered);
}

function countDue(calls: readonly HookCall[]): number {
  return calls.filter((call) => call.expects !== undefined).length;
}
