/**
 * Saves and lists projects, with summaries of their folders, sessions and calls. The first name of a project stays, and
 * every root path is kept.
 */

import { sql } from 'kysely';
import type { Store } from '../../base/contracts/store.ts';
import {
  type JoinedProject,
  makeToProjectId,
  type ProjectAlias,
  type ProjectSummary,
} from '../../base/model/project.ts';
import type { Project } from '../../base/model/session.ts';
import type { Database, ProjectRow } from './database-schema.ts';
import type { Engine } from './engines/engine.ts';
import { listAliases } from './project-aliases.ts';
import { BY_AGENT, upsertAll } from './statements.ts';

type ProjectMethods = 'saveProjects' | 'listProjects' | 'listProjectRoots';

export function makeProjectStore(engine: Engine): Pick<Store, ProjectMethods> {
  return {
    saveProjects: (projects) => saveProjects(engine, projects),
    async listProjects() {
      const rows = await engine.db.selectFrom('projects').selectAll().orderBy('name').orderBy('id').execute();
      return rows.map(toProject);
    },
    async listProjectRoots() {
      const rows = await engine.db.selectFrom('projects').selectAll().orderBy('id').execute();
      return new Map(rows.map((row) => [row.id, toRoots(row)]));
    },
  };
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

function toProject(row: ProjectRow): Project {
  return { id: row.id, name: row.name, basis: row.basis, root: toRoots(row)[0] ?? '' };
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
export async function listProjectSummaries(db: Database): Promise<readonly ProjectSummary[]> {
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
