/**
 * A project as lists show it, and the links and aliases that make several project ids one project. Stored rows keep the
 * id they were captured with, and a query for a project returns the rows of all its ids, so removing a link undoes a
 * join. A link states that one id is another and why; aliases are computed from the links and lead to the final id in
 * one step.
 */

import { groupBy } from '../records.ts';
import type { Project } from './session.ts';

export interface ProjectSummary {
  readonly id: string;
  /** Empty if the project is known only from calls. */
  readonly name: string;
  readonly basis?: Project['basis'];
  /** Every folder of the project, in the order they were first seen. */
  readonly roots: readonly string[];
  /** Other ids of this project. */
  readonly joined: readonly JoinedProject[];
  readonly sessions: number;
  /** Calls of agents only; runs of the user's hooks are not counted. */
  readonly calls: number;
  readonly lastSeenAt?: string;
}

export interface JoinedProject {
  readonly id: string;
  readonly name: string;
  readonly roots: readonly string[];
  readonly at: string;
  /** Absent if a person joined it. */
  readonly proof?: ProjectAlias['proof'];
}

/**
 * `person`: somebody ran `projects join`. `remote`: git or an agent named the remote of the folder. `worktree`: git
 * made the folder from that repository. `commit`: both have the same name and a common commit, or one has commits that
 * were made in the other. `folder`: the same folder became a repository, or got a remote, later.
 */
export const LINK_PROOFS = ['person', 'remote', 'worktree', 'commit', 'folder'] as const;
export type LinkProof = (typeof LINK_PROOFS)[number];

export interface ProjectLink {
  readonly fromId: string;
  readonly intoId: string;
  readonly proof: LinkProof;
  readonly at: string;
  /** A person split the two, so the proof does not join them again. */
  readonly isRefused?: true;
}

export interface ProjectAlias {
  readonly fromId: string;
  /** The final id: never the `fromId` of another alias. */
  readonly intoId: string;
  readonly at: string;
  /** Absent if a person joined them. */
  readonly proof?: Exclude<LinkProof, 'person'>;
}

/** A commit of a project's repository, as a full or abbreviated hash. */
export interface ProjectCommit {
  readonly projectId: string;
  readonly commit: string;
  /** A session saw git make the commit there. */
  readonly isMade?: boolean;
}

/** Resolves a joined id to the id of its project. */
export type ToProjectId = (id: string) => string;

export function makeToProjectId(aliases: readonly ProjectAlias[]): ToProjectId {
  const into = new Map(aliases.map(({ fromId, intoId }) => [fromId, intoId]));
  return (id) => into.get(id) ?? id;
}

/** Are two project ids proven to be different repositories? */
export type AreDifferent = (a: string, b: string) => boolean;

/**
 * Two projects are different repositories when both have a remote, the remotes end in different names, and no folder
 * belonged to both. A fork, a transferred repository and a second name of a host keep the name of the repository; a
 * copied folder may have no remote; a repository that was renamed stays in its folder.
 */
export function makeAreDifferent(
  projects: readonly Pick<Project, 'id' | 'name' | 'basis'>[],
  roots: ReadonlyMap<string, readonly string[]>,
  aliases: readonly ProjectAlias[],
): AreDifferent {
  const toProjectId = makeToProjectId(aliases);
  const known = new Map(projects.map((project) => [project.id, project]));
  const ids = groupBy(
    projects.map(({ id }) => id),
    toProjectId,
  );
  const listRoots = (id: string): readonly string[] => (ids.get(id) ?? [id]).flatMap((one) => roots.get(one) ?? []);
  return (a, b) => {
    const [one, other] = [known.get(toProjectId(a)), known.get(toProjectId(b))];
    if (one?.basis !== 'remote' || other?.basis !== 'remote') return false;
    if (one.name.toLowerCase() === other.name.toLowerCase()) return false;
    const folders = new Set(listRoots(one.id));
    return !listRoots(other.id).some((root) => folders.has(root));
  };
}

/** The given ids and all other ids of the same projects, each once. */
export function toAllIds(aliases: readonly ProjectAlias[], ids: readonly string[]): readonly string[] {
  const toProjectId = makeToProjectId(aliases);
  const wanted = new Set(ids.map(toProjectId));
  const others = aliases.filter(({ intoId }) => wanted.has(intoId)).map(({ fromId }) => fromId);
  return [...new Set([...ids, ...wanted, ...others])];
}

/**
 * The aliases that follow from all links. An id whose links lead to two different projects belongs to neither, because
 * a folder like `/workspace` may have had several repositories. A person's link always counts.
 */
export function decideAliases(links: readonly ProjectLink[]): readonly ProjectAlias[] {
  const next = new Map<string, ProjectLink>();
  const toEnd = (id: string): string => {
    let end = id;
    for (let link = next.get(end); link !== undefined; link = next.get(end)) end = link.intoId;
    return end;
  };
  const left = new Map([...groupBy(links.filter(isCounted), ({ fromId }) => fromId)].sort(byKey));
  // Each step leads from one final id to another, so there is no cycle. One join may decide the next one.
  for (let isMoved = true; isMoved; ) {
    isMoved = false;
    for (const [fromId, some] of left) {
      const byPerson = some.filter(({ proof }) => proof === 'person');
      const counted = byPerson.length > 0 ? byPerson.slice(0, 1) : some;
      const ends = new Set(counted.map(({ intoId }) => toEnd(intoId)).filter((end) => end !== fromId));
      const link = counted.find(({ intoId }) => toEnd(intoId) !== fromId);
      if (ends.size !== 1 || link === undefined) continue;
      next.set(fromId, link);
      left.delete(fromId);
      isMoved = true;
    }
  }
  return [...next].map(([fromId, { at, proof }]) => toAlias(fromId, toEnd(fromId), at, proof));
}

export function toAlias(fromId: string, intoId: string, at: string, proof: LinkProof): ProjectAlias {
  return { fromId, intoId, at, ...(proof === 'person' ? {} : { proof }) };
}

function isCounted({ isRefused, fromId, intoId }: ProjectLink): boolean {
  return isRefused !== true && fromId !== intoId;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The rows that a join moves, or would move. */
export interface JoinReport {
  readonly sessions: number;
  readonly calls: number;
  readonly lessons: number;
}
