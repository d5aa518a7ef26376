/** Every project with its folders and how much is known of it; what was joined is part of what it was joined into. */
import { type Kysely, sql } from 'kysely';
import { makeToProjectId, type ProjectAlias } from '../../base/project-alias.ts';
import type { JoinedProject, ProjectSummary } from '../../base/project-summary.ts';
import { BY_AGENT } from './by-agent.ts';
import type { DatabaseSchema, ProjectRow } from './database-schema.ts';
import { listAliases } from './list-aliases.ts';

interface Count {
  readonly id: string;
  readonly n: number;
  readonly last: string;
}

/** Newest first. */
export async function listProjectSummaries(db: Kysely<DatabaseSchema>): Promise<readonly ProjectSummary[]> {
  const aliases = await listAliases(db);
  const rows = await db.selectFrom('projects').selectAll().execute();
  const calls = await sql<Count>`select project_id as id, count(*) as n, max(occurred_at) as last
    from tool_outcomes where ${BY_AGENT} group by project_id`.execute(db);
  const sessions = await sql<Count>`select project_id as id, count(*) as n, max(last_seen_at) as last
    from sessions group by project_id`.execute(db);
  const toProjectId = makeToProjectId(aliases);
  const known = [...rows.map((row) => row.id), ...[...calls.rows, ...sessions.rows].map(({ id }) => id)];
  const said = aliases.filter(({ proof }) => proof === undefined);
  const ids = new Set([...known.map(toProjectId), ...said.map(({ intoId }) => intoId)]);
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
  // Transcripts also tell of folders that no session was in.
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

function toRoots(row: ProjectRow): readonly string[] {
  return JSON.parse(row.roots);
}

function sum(counts: readonly Count[] | undefined): number {
  return (counts ?? []).reduce((total, { n }) => total + n, 0);
}

function byLastSeen(a: ProjectSummary, b: ProjectSummary): number {
  const [mine, other] = [a.lastSeenAt ?? '', b.lastSeenAt ?? ''];
  if (mine === other) return a.id < b.id ? -1 : 1;
  return mine < other ? 1 : -1;
}
