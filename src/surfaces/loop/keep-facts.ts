/** Capture -> keep: facts become sessions, calls and deliveries. Taking the same facts twice changes nothing. */
import type { AddedText } from '../../base/added-text.ts';
import type { Fact } from '../../base/fact.ts';
import type { Store } from '../../base/store.ts';
import { REPORT_PROTOCOL } from '../../distill/self-report/report-protocol.ts';
import { keepSessions } from './keep-sessions.ts';
import type { FindProject } from './make-project-finder.ts';

/** True when a project, or a folder of one, is new. */
export async function keepFacts(store: Store, facts: readonly Fact[], findProject: FindProject): Promise<boolean> {
  const isNew = await keepSessions(store, facts.map(toSight), findProject);
  const calls = facts.filter((fact) => fact.kind === 'call');
  for (const how of ['observed', 'hearsay'] as const) {
    const told = calls.filter((fact) => fact.how === how).map((fact) => fact.call);
    if (told.length > 0) await store.saveCalls(told, how);
  }
  await keepTold(store, facts, findProject);
  return isNew;
}

/** What the agent was told: lessons, and what is unresolved. A dead session that was reported has ended. */
export async function keepTold(store: Store, facts: readonly Fact[], findProject: FindProject): Promise<void> {
  for (const fact of facts) {
    if (fact.kind === 'delivered') await store.saveDelivery(fact.delivery);
    if (fact.kind === 'unsaid') await keepUnsaid(store, fact);
    if (fact.kind === 'added') await store.saveAdded(toAdded(fact));
    if (fact.kind !== 'briefed') continue;
    await store.markSurfaced(fact.failures, fact.at);
    for (const { agent, sessionId, lastSeenAt, cwd } of fact.dead) {
      const sight = { agent, sessionId, at: lastSeenAt, source: 'hook', endReason: 'died' } as const;
      await keepSessions(store, [{ ...sight, ...(cwd === undefined ? {} : { cwd }) }], findProject);
    }
  }
}

/** The deliveries of the same call come before it. */
async function keepUnsaid(store: Store, fact: Extract<Fact, { kind: 'unsaid' }>): Promise<void> {
  await store.saveUnsaid(fact.unsaid.map((one) => ({ ...one, ...toPlace(fact) })));
  const crowded = fact.unsaid.filter(({ reason }) => reason === 'budget').length;
  if (crowded > 0) await store.noteNoRoom(fact, crowded);
}

function toPlace({ agent, sessionId, contextId, callId, at }: Extract<Fact, { kind: 'unsaid' }>) {
  return { agent, sessionId, contextId, callId, at };
}

/** The protocol is counted apart from what a session hears beside it. */
function toAdded(fact: Extract<Fact, { kind: 'added' }>): readonly AddedText[] {
  const { agent, sessionId, contextId, callId, bytes, version, at } = fact;
  const kind = callId === '' ? 'session-start' : fact.reply;
  const text = { agent, sessionId, contextId, callId, at };
  if (version === undefined) return [{ ...text, kind, bytes }];
  const asked = Math.min(bytes, PROTOCOL_BYTES);
  const rest = bytes - asked;
  const protocol: AddedText = { ...text, kind: 'protocol', bytes: asked, version };
  return rest === 0 ? [protocol] : [{ ...text, kind, bytes: rest }, protocol];
}

const PROTOCOL_BYTES = Buffer.byteLength(REPORT_PROTOCOL);

function toSight(fact: Fact) {
  const { agent, sessionId, at, cwd, pid, host } = fact;
  return {
    agent,
    sessionId,
    at,
    source: 'hook' as const,
    ...(cwd === undefined ? {} : { cwd }),
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
    ...(fact.kind === 'ended' ? { endReason: fact.reason } : {}),
  };
}
