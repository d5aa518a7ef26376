/**
 * Keeps a known session in its repository after the session's folder is gone. A repository is identified on disk, so a
 * session that is read again then seems to belong to a mere path, or to a repository around it. The store still knows
 * the repository, and the folders it was seen in.
 */

import { existsSync } from 'node:fs';
import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import { makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import { type Project, type Session, toSessionKey } from '../../base/model/session.ts';
import { isInFolder } from '../../base/text/paths.ts';
import { toRealPath } from '../../capture/projects/identify-project.ts';
import { type Digest, mapCalls } from '../digest-events.ts';

/** Returns the digest with the stored projects of its sessions, if their folders are gone. */
export async function keepKnownProjects(store: Store, digest: Digest): Promise<Digest> {
  const doubtful = listDoubtful(digest);
  const sessions = await findSessions(store, doubtful);
  const moved = doubtful.filter((sight) => isMoved(sessions.get(toSessionKey(sight)), sight.project));
  if (moved.length === 0) return digest;
  const known = await readKnown(store);
  const kept = new Map<string, Project>();
  for (const sight of moved) {
    const session = sessions.get(toSessionKey(sight));
    const project = session && findKept(session, sight, known);
    if (project !== undefined) kept.set(toPlaceKey(sight, sight.project.id), project);
  }
  return kept.size === 0 ? digest : replaceProjects(digest, kept);
}

interface Doubtful {
  readonly agent: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly project: Project;
}

/** Each session with each of its gone folders, once. A transcript that names a remote leaves no doubt. */
function listDoubtful({ sights }: Digest): readonly Doubtful[] {
  const folders = new Map<string, boolean>();
  const isGone = (folder: string): boolean => {
    const known = folders.get(folder) ?? !existsSync(folder);
    folders.set(folder, known);
    return known;
  };
  const doubtful = new Map<string, Doubtful>();
  for (const { agent, sessionId, cwd, project } of sights) {
    if (cwd === undefined || project === undefined || !isGone(cwd)) continue;
    const isFromDisk = project.basis === 'path' || !isGone(project.root);
    const key = toPlaceKey({ agent, sessionId }, project.id);
    if (isFromDisk && !doubtful.has(key)) doubtful.set(key, { agent, sessionId, cwd, project });
  }
  return [...doubtful.values()];
}

async function findSessions(store: Store, doubtful: readonly Doubtful[]): Promise<ReadonlyMap<string, Session>> {
  const sessions = new Map<string, Session>();
  for (const [key, [one]] of Map.groupBy(doubtful, toSessionKey)) {
    const session = one && (await store.findSession(one.agent, one.sessionId));
    if (session !== undefined) sessions.set(key, session);
  }
  return sessions;
}

function isMoved(session: Session | undefined, { id }: Project): boolean {
  return session !== undefined && session.projectId !== id;
}

interface Known {
  readonly projects: ReadonlyMap<string, Project>;
  readonly roots: ReadonlyMap<string, readonly string[]>;
  readonly toProjectId: ToProjectId;
}

async function readKnown(store: Store): Promise<Known> {
  return {
    projects: new Map((await store.listProjects()).map((project) => [project.id, project])),
    roots: await store.listProjectRoots(),
    toProjectId: makeToProjectId(await store.listProjectAliases()),
  };
}

/**
 * The repository that was seen nearest around the folder, if it is one: a folder may have had several. Else the
 * repository of the session, in the folder that the session began in.
 */
function findKept(session: Session, { cwd, project }: Doubtful, known: Known): Project | undefined {
  const own = known.projects.get(session.projectId);
  if (own === undefined || own.basis === 'path') return undefined;
  const folder = toRealPath(cwd);
  const around = [...known.projects.values()].flatMap((one) =>
    one.basis === 'path'
      ? []
      : (known.roots.get(one.id) ?? []).filter((root) => isInFolder(folder, root)).map((root) => ({ one, root })),
  );
  const nearest = Math.max(0, ...around.map(({ root }) => root.length));
  const found = around.filter(({ root }) => root.length === nearest).map(({ one }) => one);
  const isOwn = found.length === 0 ? isInFolder(cwd, session.cwd ?? cwd) : found.includes(own);
  const ids = new Set(found.map(({ id }) => known.toProjectId(id)));
  const kept = isOwn ? own : ids.size === 1 ? found[0] : undefined;
  if (kept === undefined) return undefined;
  // The enclosing folder is the same repository with a new remote.
  const isRenamed = project.basis !== 'path' && (known.roots.get(kept.id) ?? []).includes(project.root);
  return isRenamed ? undefined : { ...kept, root: known.roots.get(kept.id)?.[0] ?? kept.root };
}

/** Replaces the project wherever the digest names a place. A proof that joins the gone folder to another project stays. */
function replaceProjects(digest: Digest, kept: ReadonlyMap<string, Project>): Digest {
  const { sights, calls, findings, reports, places, cures } = digest;
  const replaceId = <T extends Placed>(one: T): T => {
    const project = kept.get(toPlaceKey(one, one.projectId));
    return project === undefined ? one : { ...one, projectId: project.id };
  };
  const replaceAll = (some: readonly LiveCall[]): readonly LiveCall[] => some.map(replaceId);
  return {
    ...digest,
    sights: sights.map((sight) => {
      const project = sight.project && kept.get(toPlaceKey(sight, sight.project.id));
      return project === undefined ? sight : { ...sight, project };
    }),
    calls: mapCalls(calls, replaceAll),
    findings: findings.map(({ finding, window }) => ({ finding: replaceId(finding), window: replaceAll(window) })),
    reports: reports.map(replaceId),
    cures: cures.map(replaceId),
    places: places.map((note) => {
      const project = kept.get(toPlaceKey(note, 'proof' in note ? note.into.id : note.project.id));
      if (project === undefined) return note;
      return 'proof' in note ? { ...note, project, into: project } : { ...note, project };
    }),
  };
}

interface Placed {
  readonly agent: string;
  readonly sessionId: string;
  readonly projectId: string;
}

function toPlaceKey(session: Pick<Placed, 'agent' | 'sessionId'>, projectId: string): string {
  return `${toSessionKey(session)}\n${projectId}`;
}
