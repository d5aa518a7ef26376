/**
 * Capture -> keep: stores captured facts as sessions, calls and deliveries. Storing the same facts twice changes
 * nothing. Every fact about a session moves the session's heartbeat and fills in fields that were unknown.
 */

import type { Store } from '../base/contracts/store.ts';
import type { AddedText } from '../base/model/delivery.ts';
import type { Fact } from '../base/model/fact.ts';
import { type Project, type Session, toSessionKey } from '../base/model/session.ts';
import { compareTexts, dropAbsent } from '../base/records.ts';
import { REPORT_PROTOCOL } from '../distill/propose/self-reports/report-protocol.ts';
import type { FindProject } from './projects/find-project.ts';

/** Returns true if a project, or a folder of one, is new. */
export async function keepFacts(store: Store, facts: readonly Fact[], findProject: FindProject): Promise<boolean> {
  const isNew = await keepSessions(store, facts.map(toSight), findProject);
  const calls = facts.filter((fact) => fact.kind === 'call');
  for (const how of ['observed', 'hearsay'] as const) {
    const some = calls.filter((fact) => fact.how === how).map((fact) => fact.call);
    if (some.length > 0) await store.saveCalls(some, how);
  }
  await keepDeliveries(store, facts, findProject);
  return isNew;
}

/** Stores deliveries and reported failures. A dead session that was reported counts as ended. */
export async function keepDeliveries(store: Store, facts: readonly Fact[], findProject: FindProject): Promise<void> {
  for (const fact of facts) {
    if (fact.kind === 'delivered') await store.saveDelivery(fact.delivery);
    if (fact.kind === 'skipped') await keepSkipped(store, fact);
    if (fact.kind === 'added') await store.saveAdded(toAdded(fact));
    if (fact.kind !== 'briefed') continue;
    await store.markSurfaced(fact.failures, fact.at);
    for (const { agent, sessionId, lastSeenAt, cwd } of fact.dead) {
      const sight = { agent, sessionId, at: lastSeenAt, source: 'hook', endReason: 'died' } as const;
      await keepSessions(store, [{ ...sight, ...dropAbsent({ cwd }) }], findProject);
    }
  }
}

/** The deliveries of the same call are stored before. */
async function keepSkipped(store: Store, fact: Extract<Fact, { kind: 'skipped' }>): Promise<void> {
  await store.saveSkipped(fact.skipped.map((one) => ({ ...one, ...toPlace(fact) })));
  const crowded = fact.skipped.filter(({ reason }) => reason === 'budget').length;
  if (crowded > 0) await store.noteNoRoom(fact, crowded);
}

function toPlace({ agent, sessionId, contextId, callId, at }: Extract<Fact, { kind: 'skipped' }>) {
  return { agent, sessionId, contextId, callId, at };
}

/** Counts the self-report protocol separately from the rest of the opening. */
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
    ...dropAbsent({ cwd, pid, host }),
    ...(fact.kind === 'ended' ? { endReason: fact.reason } : {}),
  };
}

/** What an event or a fact says about its session. */
export type Sight = Pick<
  Session,
  'agent' | 'sessionId' | 'cwd' | 'branch' | 'model' | 'agentVersion' | 'source' | 'pid' | 'host'
> & {
  readonly at: string;
  readonly endReason?: string;
  /** The project, if more than the folder is known about it. */
  readonly project?: Project;
};

/**
 * Updates sessions from their sights: the time they were last seen, and fields that were unknown. Returns true if a
 * project, or a folder of one, is new, because its languages are not known yet.
 */
export async function keepSessions(store: Store, sights: readonly Sight[], findProject: FindProject): Promise<boolean> {
  const projects = new Set<Project>();
  const sessions: Session[] = [];
  for (const ofSession of Map.groupBy(sights, toSessionKey).values()) {
    const session = toSession(ofSession, findProject);
    if (session === undefined) continue;
    projects.add(session.project);
    sessions.push(session.row);
  }
  const isNew = await store.saveProjects([...projects]);
  await store.saveSessions(sessions);
  return isNew;
}

function toSession(
  unsorted: readonly Sight[],
  findProject: FindProject,
): { readonly row: Session; readonly project: Project } | undefined {
  const sights = unsorted.toSorted((a, b) => compareTexts(a.at, b.at));
  const times = sights.map((sight) => sight.at);
  const [first] = sights;
  const startedAt = times[0];
  const lastSeenAt = times.at(-1);
  if (first === undefined || startedAt === undefined || lastSeenAt === undefined) return undefined;
  const end = sights.find((sight) => sight.endReason !== undefined);
  // A session belongs to its first folder, even if it moves to others.
  const begun = sights.find(({ cwd }) => cwd !== undefined);
  const project = begun?.project ?? findProject(begun?.cwd ?? '');
  const row: Session = {
    agent: first.agent,
    sessionId: first.sessionId,
    projectId: project.id,
    ...dropAbsent({
      cwd: begun?.cwd,
      branch: findLast(sights, 'branch'),
      model: findLast(sights, 'model'),
      agentVersion: findLast(sights, 'agentVersion'),
    }),
    startedAt,
    lastSeenAt,
    ...(end?.endReason === undefined ? {} : { endedAt: end.at, endReason: end.endReason }),
    source: first.source,
    ...toProcess(sights),
  };
  return { row, project };
}

/** The last process, because a resumed session runs in a new one. */
function toProcess(sights: readonly Sight[]): Pick<Session, 'pid' | 'host'> {
  const last = sights.findLast((sight) => sight.pid !== undefined);
  return last?.pid === undefined || last.host === undefined ? {} : { pid: last.pid, host: last.host };
}

type Field = 'cwd' | 'branch' | 'model' | 'agentVersion';

function findLast(sights: readonly Sight[], field: Field): string | undefined {
  return sights.findLast((sight) => sight[field] !== undefined)?.[field];
}
