/**
 * Stores projects, the links between their ids, and the aliases that follow from them. The first name of a project
 * stays, and every root path is kept. Links are observed or stated by a person; every query joins with the aliases, so
 * they are computed again from all links whenever a link is added or removed.
 */

import { sql } from 'kysely';
import type { Store } from '../../base/contracts/store.ts';
import {
  decideAliases,
  type JoinedProject,
  type JoinReport,
  makeToProjectId,
  type ProjectAlias,
  type ProjectCommit,
  type ProjectLink,
  type ProjectSummary,
  toAlias,
  toAllIds,
} from '../../base/model/project.ts';
import type { Project } from '../../base/model/session.ts';
import type { Database, ProjectLinkRow, ProjectRow, StoreTransaction } from './database-schema.ts';
import type { Engine } from './engines/engine.ts';
import { BY_AGENT, toChunks, upsertAll } from './statements.ts';

/** One lock for all joins, because two joins at once could form a cycle of three. */
const LOCK = ['aliases'];

export function makeProjectStore(engine: Engine) {
  const { db } = engine;
  return {
    saveProjects: (projects) => saveProjects(engine, projects),
    async listProjects() {
      const rows = await db.selectFrom('projects').selectAll().orderBy('name').orderBy('id').execute();
      return rows.map((row) => ({ id: row.id, name: row.name, basis: row.basis, root: toRoots(row)[0] ?? '' }));
    },
    async listProjectRoots() {
      const rows = await db.selectFrom('projects').selectAll().orderBy('id').execute();
      return new Map(rows.map((row) => [row.id, toRoots(row)]));
    },
    listProjectSummaries: () => listProjectSummaries(db),
    listProjectAliases: () => listAliases(db),
    joinProjects: (fromId, intoId, { at, dryRun }) =>
      db.transaction().execute(async (trx) => {
        await engine.lock(trx, 'project', LOCK);
        const aliases = await listAliases(trx);
        const end = makeToProjectId(aliases)(intoId);
        if (end === fromId || aliases.some((alias) => alias.fromId === fromId)) return undefined;
        const report = await countMoved(trx, toAllIds(aliases, [fromId]));
        if (dryRun) return report;
        const stated = { fromId, intoId: end, proof: 'person', at } as const;
        await writeLinks(engine, trx, [stated], ['proof', 'created_at', 'refused_at']);
        await settleAliases(engine, trx);
        return report;
      }),
    splitProject: (fromId) =>
      db.transaction().execute(async (trx) => {
        await engine.lock(trx, 'project', LOCK);
        const aliases = await listAliases(trx);
        if (!aliases.some((alias) => alias.fromId === fromId)) return false;
        // A person's link is removed; an observed link is remembered as refused, or it would join the two again.
        const links = trx.deleteFrom('project_links').where('from_id', '=', fromId);
        await links.where('proof', '=', 'person').execute();
        const refused = { refused_at: new Date().toISOString() };
        await trx.updateTable('project_links').set(refused).where('from_id', '=', fromId).execute();
        await settleAliases(engine, trx);
        return true;
      }),
    async linkProjects(links) {
      // Most links are known already; then nothing is written and nobody waits for the lock.
      const fresh = listNew(await listLinks(db), links);
      if (fresh.length === 0) return [];
      return db.transaction().execute(async (trx) => {
        await engine.lock(trx, 'project', LOCK);
        // Another process may have been first, and a refusal must stay.
        await writeLinks(engine, trx, listNew(await listLinks(trx), fresh), ['into_id']);
        return settleAliases(engine, trx);
      });
    },
    listProjectLinks: () => listLinks(db),
    saveProjectCommits: (commits, at) => saveCommits(engine, commits, at),
    async listProjectCommits() {
      const rows = await db.selectFrom('project_commits').selectAll().execute();
      return rows.map((row) => ({ projectId: row.project_id, commit: row.commit_hash, isMade: row.is_made === 1 }));
    },
  } satisfies Partial<Store>;
}

async function saveProjects(engine: Engine, projects: readonly Project[]): Promise<boolean> {
  if (projects.length === 0) return false;
  const ids = [...new Set(projects.map(({ id }) => id))];
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'project', ids);
    const { rows } = await sql<ProjectRow>`select * from projects where id in ${engine.toList(ids)}`.execute(trx);
    const changed = toChanged(rows, projects);
    await upsertAll(engine, trx, { table: 'projects', key: ['id'], update: ['roots'] }, changed);
    return changed.length > 0;
  });
}

/** The rows that are new or have a new root. */
function toChanged(known: readonly ProjectRow[], projects: readonly Project[]): readonly ProjectRow[] {
  const rows = new Map(known.map((row) => [row.id, row]));
  const changed = new Set<string>();
  for (const project of projects) {
    const row = rows.get(project.id);
    const roots = row === undefined ? [] : toRoots(row);
    if (roots.includes(project.root)) continue;
    rows.set(project.id, row === undefined ? toRow(project) : { ...row, roots: toText([...roots, project.root]) });
    changed.add(project.id);
  }
  return [...rows.values()].filter(({ id }) => changed.has(id));
}

function toRow({ id, name, basis, root }: Project): ProjectRow {
  return { id, name, basis, roots: toText([root]), created_at: new Date().toISOString() };
}

function toText(roots: readonly string[]): string {
  return JSON.stringify(roots);
}

function toRoots(row: ProjectRow): readonly string[] {
  return JSON.parse(row.roots);
}

interface Count {
  readonly id: string;
  readonly n: number;
  readonly last: string;
}

/** Every project with its folders and counts, newest first; joined ids count for the project they were joined into. */
async function listProjectSummaries(db: Database): Promise<readonly ProjectSummary[]> {
  const aliases = await listAliases(db);
  const rows = await db.selectFrom('projects').selectAll().execute();
  const calls = await sql<Count>`select project_id as id, count(*) as n, max(occurred_at) as last
    from tool_outcomes where ${BY_AGENT} group by project_id`.execute(db);
  const sessions = await sql<Count>`select project_id as id, count(*) as n, max(last_seen_at) as last
    from sessions group by project_id`.execute(db);
  const toProjectId = makeToProjectId(aliases);
  const known = [...rows.map((row) => row.id), ...[...calls.rows, ...sessions.rows].map(({ id }) => id)];
  const byPerson = aliases.filter(({ proof }) => proof === undefined);
  const ids = new Set([...known.map(toProjectId), ...byPerson.map(({ intoId }) => intoId)]);
  const counts = { calls: calls.rows, sessions: sessions.rows };
  return [...ids].map((id) => toSummary(id, { rows, aliases, counts })).sort(byLastSeen);
}

interface Parts {
  readonly rows: readonly ProjectRow[];
  readonly aliases: readonly ProjectAlias[];
  readonly counts: { readonly calls: readonly Count[]; readonly sessions: readonly Count[] };
}

function toSummary(id: string, { rows, aliases, counts }: Parts): ProjectSummary {
  const row = rows.find((one) => one.id === id);
  const aliasesHere = aliases.filter(({ intoId }) => intoId === id).map((alias) => toJoined(alias, rows));
  const all = new Set([id, ...aliasesHere.map((one) => one.id)]);
  const [calls, sessions] = [counts.calls, counts.sessions].map((list) => list.filter((one) => all.has(one.id)));
  const last = [...(calls ?? []), ...(sessions ?? [])].map((one) => one.last).sort();
  const lastSeenAt = last.at(-1);
  const counted = new Set([...(calls ?? []), ...(sessions ?? [])].map((one) => one.id));
  // Transcripts also mention folders that no session was in.
  const joined = aliasesHere.filter((one) => one.proof === undefined || one.roots.length > 0 || counted.has(one.id));
  return {
    id,
    name: row?.name ?? joined.find(({ name }) => name !== '')?.name ?? '',
    ...(row === undefined ? {} : { basis: row.basis }),
    roots: row === undefined ? [] : toRoots(row),
    joined,
    sessions: sum(sessions),
    calls: sum(calls),
    ...(lastSeenAt === undefined ? {} : { lastSeenAt }),
  };
}

function toJoined({ fromId, at, proof }: ProjectAlias, rows: readonly ProjectRow[]): JoinedProject {
  const row = rows.find((one) => one.id === fromId);
  const joined = { id: fromId, name: row?.name ?? '', roots: row === undefined ? [] : toRoots(row), at };
  return proof === undefined ? joined : { ...joined, proof };
}

function sum(counts: readonly Count[] | undefined): number {
  return (counts ?? []).reduce((total, { n }) => total + n, 0);
}

function byLastSeen(a: ProjectSummary, b: ProjectSummary): number {
  const [mine, other] = [a.lastSeenAt ?? '', b.lastSeenAt ?? ''];
  if (mine === other) return a.id < b.id ? -1 : 1;
  return mine < other ? 1 : -1;
}

function listNew(known: readonly ProjectLink[], links: readonly ProjectLink[]): readonly ProjectLink[] {
  const keys = new Set(known.map(toKey));
  return links.filter((link) => !keys.has(toKey(link)));
}

/** Resolves to the ids whose project has changed. */
async function settleAliases(engine: Engine, trx: StoreTransaction): Promise<readonly string[]> {
  const before = new Map((await listAliases(trx)).map((alias) => [alias.fromId, alias]));
  const after = new Map(decideAliases(await listLinks(trx)).map((alias) => [alias.fromId, alias]));
  const gone = [...before.keys()].filter((id) => !after.has(id));
  const changed = [...after.values()].filter(({ fromId, intoId, proof, at }) => {
    const known = before.get(fromId);
    return known?.intoId !== intoId || known.proof !== proof || known.at !== at;
  });
  for (const chunk of toChunks(gone)) await trx.deleteFrom('project_aliases').where('from_id', 'in', chunk).execute();
  const rows = changed.map(({ fromId, intoId, at, proof = 'person' }) => ({
    ...{ from_id: fromId, into_id: intoId, created_at: at, proof },
  }));
  const how = { table: 'project_aliases', key: ['from_id'], update: ['into_id', 'created_at', 'proof'] } as const;
  await upsertAll(engine, trx, how, rows);
  return [...gone, ...changed.map(({ fromId }) => fromId)];
}

async function listLinks(db: Database): Promise<readonly ProjectLink[]> {
  const rows = await db.selectFrom('project_links').selectAll().orderBy('created_at').orderBy('into_id').execute();
  return rows.map(toLink);
}

function toLink({ from_id, into_id, proof, created_at, refused_at }: ProjectLinkRow): ProjectLink {
  const link = { fromId: from_id, intoId: into_id, proof, at: created_at };
  return refused_at === null ? link : { ...link, isRefused: true };
}

function toKey({ fromId, intoId }: ProjectLink): string {
  return `${fromId} ${intoId}`;
}

async function writeLinks(
  engine: Engine,
  trx: StoreTransaction,
  links: readonly ProjectLink[],
  update: readonly string[],
): Promise<void> {
  const rows = links.map(({ fromId, intoId, proof, at }) => ({
    ...{ from_id: fromId, into_id: intoId, proof, created_at: at, refused_at: null },
  }));
  await upsertAll(engine, trx, { table: 'project_links', key: ['from_id', 'into_id'], update }, rows);
}

/** Enough to share one with another folder of the same repository. */
const MAX_COMMITS = 100;

async function saveCommits(engine: Engine, commits: readonly ProjectCommit[], at: string): Promise<void> {
  if (commits.length === 0) return;
  const rows = commits.map(({ projectId, commit, isMade = false }) => ({
    ...{ project_id: projectId, commit_hash: commit, is_made: Number(isMade), created_at: at },
  }));
  await engine.db.transaction().execute(async (trx) => {
    const key = ['project_id', 'commit_hash'];
    const made = rows.filter((row) => row.is_made === 1);
    await upsertAll(engine, trx, { table: 'project_commits', key, update: ['commit_hash'] }, rows);
    await upsertAll(engine, trx, { table: 'project_commits', key, update: ['is_made'] }, made);
    for (const id of new Set(commits.map(({ projectId }) => projectId))) {
      await sql`delete from project_commits where project_id = ${id} and commit_hash not in (
        select commit_hash from project_commits where project_id = ${id}
        order by is_made desc, created_at desc, commit_hash limit ${MAX_COMMITS})`.execute(trx);
    }
  });
}

async function countMoved(trx: StoreTransaction, ids: readonly string[]): Promise<JoinReport> {
  const list = sql.join(ids);
  const { rows } = await sql<JoinReport>`
    select (select count(*) from sessions where project_id in (${list})) as "sessions",
      (select count(*) from tool_outcomes where project_id in (${list}) and ${BY_AGENT}) as "calls",
      (select count(*) from lessons where scope_kind = 'project' and scope_id in (${list})) as "lessons"
  `.execute(trx);
  return { ...(rows[0] as JoinReport) };
}

/** The aliases of all joined projects. */
export async function listAliases(db: Database): Promise<readonly ProjectAlias[]> {
  const rows = await db.selectFrom('project_aliases').selectAll().orderBy('created_at').orderBy('from_id').execute();
  return rows.map((row) => toAlias(row.from_id, row.into_id, row.created_at, row.proof));
}

/** The given ids and all other ids of the same projects. */
export async function listAllIds(db: Database, ids: readonly string[]): Promise<readonly string[]> {
  return toAllIds(await listAliases(db), ids);
}
