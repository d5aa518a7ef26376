/**
 * Joins projects that turn out to be one: from notes in transcripts while they are read, and from the disk and all seen
 * commits at the end of a scan. The same folder name is no proof; each rule uses something that only one repository has.
 * No agent waits for it.
 */
import { existsSync } from 'node:fs';
import type { Store } from '../../base/contracts/store.ts';
import { makeToProjectId, type ProjectCommit, type ProjectLink } from '../../base/model/project.ts';
import { type Project, type Session, type SessionKey, toSessionKey } from '../../base/model/session.ts';
import type { ScoringWeights } from '../../base/model/settings.ts';
import { hasCommit, listWorktrees } from '../../capture/projects/git-files.ts';
import { findCommonFolder, toRealPath } from '../../capture/projects/identify-project.ts';
import { identifyProject, isInsideRepository } from './find-project.ts';
import { isOlder, type PlaceNote } from './note-places.ts';
import { repairLessons } from './repair-lessons.ts';

/** Returns true if projects or lessons changed. */
export async function keepPlaces(store: Store, notes: readonly PlaceNote[], weights: ScoringWeights): Promise<boolean> {
  if (notes.length === 0) return false;
  const links = notes.filter((note) => 'proof' in note);
  const commits = notes.filter((note) => 'commit' in note);
  const at = new Date().toISOString();
  await store.saveProjectCommits(
    commits.map(({ project, commit, isMade }) => ({ projectId: project.id, commit, isMade })),
    at,
  );
  const known = new Set(links.length === 0 ? [] : (await store.listProjects()).map(({ id }) => id));
  // A clone in which no session ran is not a project.
  const into = links.filter(({ from }) => known.has(from.id)).map((link) => link.into);
  const aliases = links.map(({ from, into: { id }, proof }) => ({ fromId: from.id, intoId: id, proof, at }));
  return joinLinked(store, aliases, into, weights);
}

/** The project of each session, by agent and id. */
type SessionPlaces = ReadonlyMap<string, Pick<Session, 'projectId' | 'cwd'>>;

/** The stored projects of these sessions, read before the sessions are read again, because that may move them. */
export async function readPlaces(store: Store, sights: readonly SessionKey[]): Promise<SessionPlaces> {
  const places = new Map<string, Session>();
  for (const { agent, sessionId } of sights) {
    const key = toSessionKey({ agent, sessionId });
    const session = places.has(key) ? undefined : await store.findSession(agent, sessionId);
    if (session !== undefined) places.set(key, session);
  }
  return places;
}

/**
 * Reading sessions again moves their calls to the project that their folder belongs to today. Joining the two projects
 * makes the lessons, findings and counts follow. A session whose folder is gone has not moved (see gone-folders.ts). A
 * session that had a remote before stays apart from the new remote, unless its folder is still the same one: another
 * repository may have been cloned into the path.
 */
export async function joinMovedSessions(
  store: Store,
  before: SessionPlaces,
  weights: ScoringWeights,
): Promise<boolean> {
  if (before.size === 0) return false;
  const projects = new Map((await store.listProjects()).map((project) => [project.id, project]));
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const at = new Date().toISOString();
  const links = new Map<string, ProjectLink>();
  for (const [key, { projectId: fromId, cwd }] of before) {
    const [agent = '', sessionId = ''] = key.split('\n');
    const now = await store.findSession(agent, sessionId);
    if (now === undefined || cwd === undefined || now.cwd !== cwd) continue;
    const { projectId: intoId } = now;
    if (toProjectId(fromId) === toProjectId(intoId)) continue;
    const isSameFolder = projects.get(fromId)?.basis !== 'remote' || isOlder(cwd, now.lastSeenAt);
    if (isSameFolder) links.set(`${fromId} ${intoId}`, { fromId, intoId, proof: 'folder', at });
  }
  return joinLinked(store, [...links.values()], [], weights);
}

/** Looks again at every project without a remote, and at the lessons. True when projects or lessons changed. */
export async function joinKnownProjects(store: Store, weights: ScoringWeights): Promise<boolean> {
  const isJoined = await joinApart(store, weights);
  return (await repairLessons(store, weights)) || isJoined;
}

async function joinApart(store: Store, weights: ScoringWeights): Promise<boolean> {
  const all = await listWhole(store);
  const apart = all.filter(({ basis }) => basis !== 'remote');
  if (apart.length === 0) return false;
  const listCommits = makeCommitList(await store.listProjectCommits());
  const known = await store.listProjectLinks();
  const found = [
    ...(await findMoved(store, apart)),
    ...findWorktrees(apart, all),
    ...findByCommit(apart, all, listCommits),
    ...(await findRenamed(store, known, all, listCommits)),
  ];
  const at = new Date().toISOString();
  const links = found.map(({ fromId, into, proof }) => ({ fromId, intoId: into.id, proof, at }));
  return joinLinked(
    store,
    links,
    found.flatMap(({ into }) => ('root' in into ? [into] : [])),
    weights,
  );
}

/** A project with all its folders. */
interface Whole extends Pick<Project, 'id' | 'name' | 'basis'> {
  /** Its own id and the ids of projects joined into it. */
  readonly ids: readonly string[];
  /** Its own folders and those of projects joined into it. */
  readonly roots: readonly string[];
  readonly allRoots: readonly string[];
}

async function listWhole(store: Store): Promise<readonly Whole[]> {
  const [projects, roots, aliases] = [
    await store.listProjects(),
    await store.listProjectRoots(),
    await store.listProjectAliases(),
  ];
  const parts = Map.groupBy(aliases, ({ intoId }) => intoId);
  const joined = new Set(aliases.map(({ fromId }) => fromId));
  return projects
    .filter(({ id }) => !joined.has(id))
    .map(({ id, name, basis }) => {
      const ids = [id, ...(parts.get(id) ?? []).map(({ fromId }) => fromId)];
      return { id, name, basis, ids, roots: roots.get(id) ?? [], allRoots: ids.flatMap((one) => roots.get(one) ?? []) };
    });
}

async function readLastSeen(store: Store, { ids }: Whole): Promise<string> {
  const [last] = await store.listSessions({ projectIds: ids, limit: 1 });
  return last?.lastSeenAt ?? '';
}

async function joinLinked(
  store: Store,
  links: readonly ProjectLink[],
  into: readonly Project[],
  weights: ScoringWeights,
): Promise<boolean> {
  if (links.length === 0) return false;
  await store.saveProjects(into);
  const moved = await store.linkProjects(links);
  if (moved.length === 0) return false;
  await repairLessons(store, weights);
  return true;
}

interface Found {
  readonly fromId: string;
  readonly into: Project | { readonly id: string };
  readonly proof: Exclude<ProjectLink['proof'], 'person'>;
}

/** The folder became a repository, got a remote, or its path names the repository of which it was a worktree. */
async function findMoved(store: Store, apart: readonly Whole[]): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const project of apart)
    for (const root of project.roots) {
      const into = identifyProject(root);
      if (into.id === project.id) continue;
      if (!existsSync(root)) {
        if (isInsideRepository(root)) found.push({ fromId: project.id, into, proof: 'worktree' });
      } else if (isOlder(root, await readLastSeen(store, project)))
        found.push({ fromId: project.id, into, proof: 'folder' });
    }
  return found;
}

/** A repository still lists a worktree whose folder was removed. */
function findWorktrees(apart: readonly Whole[], all: readonly Whole[]): readonly Found[] {
  const gone = new Map(
    apart.flatMap(({ id, roots }) => roots.filter((root) => !existsSync(root)).map((root) => [root, id])),
  );
  if (gone.size === 0) return [];
  return listRepositories(all).flatMap(({ project, commonDir }) =>
    listWorktrees(commonDir).flatMap((folder): readonly Found[] => {
      const fromId = gone.get(folder) ?? gone.get(toRealPath(folder));
      return fromId === undefined || fromId === project.id ? [] : [{ fromId, into: project, proof: 'worktree' }];
    }),
  );
}

interface Repository {
  readonly project: Project;
  readonly commonDir: string;
}

/** The repositories that exist now. */
function listRepositories(all: readonly Whole[]): readonly Repository[] {
  const roots = new Set(all.flatMap(({ allRoots }) => allRoots));
  const found = new Map<string, Repository>();
  for (const root of roots) {
    const commonDir = findCommonFolder(root);
    if (commonDir !== undefined && !found.has(commonDir))
      found.set(commonDir, { project: identifyProject(root), commonDir });
  }
  return [...found.values()];
}

/** This many commits made in one folder and seen in the other exclude a coincidence. */
const MIN_MADE = 2;

/**
 * The same name proves nothing, and one common commit may come from a fork. So the rule needs both, or several commits
 * that a session made in one of the two folders (then the folder was renamed, moved or cloned).
 */
function findByCommit(apart: readonly Whole[], all: readonly Whole[], listCommits: CommitList): readonly Found[] {
  const repositories = listRepositories(all);
  return apart.flatMap((project) => {
    const own = listCommits(project);
    if (own.length === 0) return [];
    const seen = all.filter((other) => {
      if (other.id === project.id || !isBefore(other, project)) return false;
      const common = listCommon(own, listCommits(other));
      return (
        common.filter(({ isMade }) => isMade).length >= MIN_MADE || (isSameName(project, other) && common.length > 0)
      );
    });
    const here = repositories.filter(
      (one) =>
        one.project.id !== project.id &&
        isSameName(project, one.project) &&
        own.some(({ commit }) => hasCommit(one.commonDir, commit)),
    );
    const into = [...seen.map(({ id }) => ({ id })), ...here.map((one) => one.project)];
    return into.map((one): Found => ({ fromId: project.id, into: one, proof: 'commit' }));
  });
}

/**
 * One folder with two remotes that share a commit: the repository was renamed or transferred, or `origin` is another fork
 * now. The last seen name stays.
 */
async function findRenamed(
  store: Store,
  links: readonly ProjectLink[],
  all: readonly Whole[],
  listCommits: CommitList,
): Promise<readonly Found[]> {
  const known = new Map(all.flatMap((one) => one.ids.map((id) => [id, one])));
  const remotes = links.filter(({ proof, isRefused }) => proof === 'remote' && isRefused !== true);
  const found: Found[] = [];
  for (const some of Map.groupBy(remotes, ({ fromId }) => fromId).values()) {
    const ends = [...new Set(some.flatMap(({ intoId }) => known.get(intoId) ?? []))];
    if (ends.length < 2) continue;
    const seen = await Promise.all(ends.map(async (one) => ({ one, at: await readLastSeen(store, one) })));
    const [last, ...others] = seen.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ one }) => one);
    if (last === undefined) continue;
    const same = others.filter((one) => listCommon(listCommits(one), listCommits(last)).length > 0);
    for (const { id } of same) found.push({ fromId: id, into: { id: last.id }, proof: 'commit' });
  }
  return found;
}

type CommitList = (project: Whole) => readonly ProjectCommit[];

function makeCommitList(commits: readonly ProjectCommit[]): CommitList {
  const byProject = Map.groupBy(commits, ({ projectId }) => projectId);
  return ({ ids }) => ids.flatMap((id) => byProject.get(id) ?? []);
}

function isSameName(a: { readonly name: string }, b: { readonly name: string }): boolean {
  return a.name !== '' && a.name.toLowerCase() === b.name.toLowerCase();
}

/** As short as git abbreviates a commit. */
const SHORTEST = 7;

/** Commits that both lists contain. */
function listCommon(some: readonly ProjectCommit[], others: readonly ProjectCommit[]): readonly ProjectCommit[] {
  const [small, large] = some.length < others.length ? [some, others] : [others, some];
  const beginnings = new Set(small.map(({ commit }) => commit.slice(0, SHORTEST)));
  return large
    .filter(({ commit }) => beginnings.has(commit.slice(0, SHORTEST)))
    .flatMap((one) => {
      const same = small.find(({ commit }) => one.commit.startsWith(commit) || commit.startsWith(one.commit));
      return same === undefined ? [] : [{ ...one, isMade: one.isMade === true || same.isMade === true }];
    });
}

const RANKS = ['remote', 'git-dir', 'path'];

/** A fixed order, so that projects are joined into the one with the strongest identity. */
function isBefore(a: Whole, b: Whole): boolean {
  const rank = ({ basis }: Whole): number => RANKS.indexOf(basis);
  return rank(a) - rank(b) < 0 || (rank(a) === rank(b) && a.id < b.id);
}
