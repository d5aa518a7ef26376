/**
 * Stores links between project ids and the aliases that follow from them. Links are observed or stated by a person;
 * every query joins with the aliases, so they are computed again from all links whenever a link is added or removed.
 */

import { sql } from 'kysely';
import type { Store } from '../../base/contracts/store.ts';
import {
  decideAliases,
  type JoinReport,
  makeToProjectId,
  type ProjectAlias,
  type ProjectCommit,
  type ProjectLink,
  toAlias,
  toAllIds,
} from '../../base/model/project.ts';
import type { Database, ProjectLinkRow, StoreTransaction } from './database-schema.ts';
import type { Engine } from './engines/engine.ts';
import { BY_AGENT, toChunks, upsertAll } from './statements.ts';

/** One lock for all joins, because two joins at once could form a cycle of three. */
const LOCK = ['aliases'];

type LinkStore = Pick<
  Store,
  | 'joinProjects'
  | 'splitProject'
  | 'linkProjects'
  | 'listProjectLinks'
  | 'listProjectAliases'
  | 'saveProjectCommits'
  | 'listProjectCommits'
>;

export function makeLinkStore(engine: Engine): LinkStore {
  return {
    listProjectAliases: () => listAliases(engine.db),
    joinProjects: (fromId, intoId, how) => joinProjects(engine, fromId, intoId, how),
    splitProject: (fromId) => splitProject(engine, fromId),
    linkProjects: (links) => linkProjects(engine, links),
    listProjectLinks: () => listLinks(engine.db),
    saveProjectCommits: (commits, at) => saveCommits(engine, commits, at),
    async listProjectCommits() {
      const rows = await engine.db.selectFrom('project_commits').selectAll().execute();
      return rows.map((row) => ({ projectId: row.project_id, commit: row.commit_hash, isMade: row.is_made === 1 }));
    },
  };
}

function joinProjects(
  engine: Engine,
  fromId: string,
  intoId: string,
  { at, dryRun }: { readonly at: string; readonly dryRun: boolean },
): Promise<JoinReport | undefined> {
  return engine.db.transaction().execute(async (trx) => {
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
  });
}

/** A person's link is removed; an observed link is remembered as refused, or it would join the two again. */
function splitProject(engine: Engine, fromId: string): Promise<boolean> {
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'project', LOCK);
    const aliases = await listAliases(trx);
    if (!aliases.some((alias) => alias.fromId === fromId)) return false;
    await trx.deleteFrom('project_links').where('from_id', '=', fromId).where('proof', '=', 'person').execute();
    await trx
      .updateTable('project_links')
      .set({ refused_at: new Date().toISOString() })
      .where('from_id', '=', fromId)
      .execute();
    await settleAliases(engine, trx);
    return true;
  });
}

/** Most links are known already; then nothing is written and nobody waits for the lock. */
async function linkProjects(engine: Engine, links: readonly ProjectLink[]): Promise<readonly string[]> {
  const fresh = listNew(await listLinks(engine.db), links);
  if (fresh.length === 0) return [];
  return engine.db.transaction().execute(async (trx) => {
    await engine.lock(trx, 'project', LOCK);
    // Another process may have been first, and a refusal must stay.
    await writeLinks(engine, trx, listNew(await listLinks(trx), fresh), ['into_id']);
    return settleAliases(engine, trx);
  });
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
