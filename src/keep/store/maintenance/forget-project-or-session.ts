/** Forgets everything about one project or one session. A session belongs to the project it began in. */

import { type RawBuilder, sql } from 'kysely';
import type { PackIndex } from '../../../base/model/pack.ts';
import { type SessionKey, toSessionKey } from '../../../base/model/session.ts';
import {
  type DropEvidence,
  type ForgetReport,
  type ForgetRequest,
  toNamelessPath,
} from '../../../base/storage/forgotten.ts';
import { deleteCalls } from '../calls/save-calls.ts';
import type { CallRow, Database, StoreTransaction } from '../database-schema.ts';
import type { Engine } from '../engines/engine.ts';
import type { IdSequence } from '../row-values.ts';
import { toChunks } from '../statements.ts';
import { forgetLessons } from './forget-lessons.ts';

interface ForgetTask {
  readonly request: Exclude<ForgetRequest, { kind: 'all' | 'lesson' }>;
  readonly at: string;
  readonly ids: IdSequence;
  readonly dropEvidence: DropEvidence;
}

export async function forgetProjectOrSession(
  engine: Engine,
  trx: StoreTransaction,
  task: ForgetTask,
): Promise<ForgetReport> {
  const { request } = task;
  const projectIds = request.kind === 'project' ? request.ids : [];
  await engine.lock(trx, 'project', projectIds);
  const keys = await findSessionKeys(trx, request);
  const calls = await findCalls(trx, keys, projectIds);
  await engine.lock(
    trx,
    'session',
    [...keys, ...calls.map(toKey)].map(({ agent, sessionId }) => `${agent} ${sessionId}`),
  );
  const transcripts = await forgetTranscripts(trx, keys, projectIds);
  const before = await countRows(trx);
  const lessons = await forgetLessons(engine, trx, { ...task, keys, calls, projectIds });
  const signatures = await deleteCalls(engine, trx, calls);
  await deleteOfSessions(trx, keys, calls);
  await forgetAsked(trx, keys);
  const touched = [...new Set([...projectIds, ...calls.map((row) => row.project_id)])];
  await deleteProjects(trx, projectIds, touched);
  const after = await countRows(trx);
  return {
    projects: before.projects - after.projects,
    sessions: before.sessions - after.sessions,
    calls: calls.length,
    signatures,
    episodes: before.episodes - after.episodes,
    deliveries: before.deliveries - after.deliveries,
    ...lessons,
    transcripts,
    sessionKeys: keys,
    projectIds: touched,
  };
}

async function findCalls(
  db: Database,
  keys: readonly SessionKey[],
  projectIds: readonly string[],
): Promise<readonly CallRow[]> {
  const found = new Map<string, CallRow>();
  const add = (rows: readonly CallRow[]): void => {
    for (const row of rows) found.set(row.id, row);
  };
  for (const chunk of toChunks(keys))
    add(await db.selectFrom('tool_outcomes').selectAll().where(isInSessions(chunk)).execute());
  for (const chunk of toChunks(projectIds)) {
    add(await db.selectFrom('tool_outcomes').selectAll().where('project_id', 'in', chunk).execute());
  }
  return [...found.values()];
}

/** The tables besides `tool_outcomes` whose rows belong to a session. */
const SESSION_TABLES = [
  'deliveries',
  'missed_opportunities',
  'added_texts',
  'episodes',
  'findings',
  'cures',
  'remembered_calls',
  'self_reports',
  'sessions',
] as const;

async function deleteOfSessions(
  trx: StoreTransaction,
  keys: readonly SessionKey[],
  calls: readonly CallRow[],
): Promise<void> {
  for (const chunk of toChunks(keys)) {
    await forgetFeedback(trx, isInSessions(chunk));
    for (const table of SESSION_TABLES) await trx.deleteFrom(table).where(isInSessions(chunk)).execute();
  }
  for (const chunk of toChunks(calls)) {
    const ids = sql.join(chunk.map((row) => sql`(${row.agent}, ${row.session_id}, ${row.call_id})`));
    await forgetFeedback(trx, sql`(agent, session_id, call_id) in (values ${ids})`);
    for (const table of ['deliveries', 'missed_opportunities', 'remembered_calls'].map((name) => sql.table(name)))
      await sql`delete from ${table} where (agent, session_id, call_id) in (values ${ids})`.execute(trx);
    await sql`delete from cures where (agent, session_id, failing_call_id) in (values ${ids})`.execute(trx);
  }
}

/** What a pack cost stays, and so do its failures of other sessions: they are not asked about again. */
async function forgetAsked(trx: StoreTransaction, keys: readonly SessionKey[]): Promise<void> {
  const gone = new Set(keys.map(toSessionKey));
  const isLeft = (key: SessionKey): boolean => !gone.has(toSessionKey(key));
  const columns = ['pack', 'prompt_version', 'episodes', 'pack_index'] as const;
  for (const { pack, prompt_version, episodes, pack_index } of await trx
    .selectFrom('learn_packs')
    .select(columns)
    .execute()) {
    const asked = JSON.parse(episodes) as readonly SessionKey[];
    const index = pack_index === null ? undefined : (JSON.parse(pack_index) as PackIndex);
    const left = asked.filter(isLeft);
    const isWhole = index === undefined || Object.values(index.calls).flat().every(isLeft);
    if (isWhole && left.length === asked.length) continue;
    const kept = { episodes: JSON.stringify(left), pack_index: isWhole ? pack_index : null };
    const update = trx.updateTable('learn_packs').set(kept);
    await update.where('pack', '=', pack).where('prompt_version', '=', prompt_version).execute();
  }
}

/** Removes the feedback on deliveries that are about to be removed. */
async function forgetFeedback(trx: StoreTransaction, isGone: RawBuilder<unknown>): Promise<void> {
  await sql`delete from feedback where delivery_id in (select id from deliveries where ${isGone})`.execute(trx);
}

/** Removes the named projects, and those that were known only from removed calls. */
async function deleteProjects(
  trx: StoreTransaction,
  projectIds: readonly string[],
  touched: readonly string[],
): Promise<void> {
  for (const chunk of toChunks(projectIds)) {
    await trx.deleteFrom('projects').where('id', 'in', chunk).execute();
    for (const table of [
      'self_reports',
      'promotions',
      'missed_opportunities',
      'project_commits',
      'learn_packs',
    ] as const)
      await trx.deleteFrom(table).where('project_id', 'in', chunk).execute();
  }
  for (const chunk of toChunks(touched)) {
    await trx
      .deleteFrom('projects')
      .where('id', 'in', chunk)
      .where(sql<boolean>`not exists (select 1 from sessions where project_id = projects.id)`)
      .where(sql<boolean>`not exists (select 1 from tool_outcomes where project_id = projects.id)`)
      .execute();
  }
}

async function countRows(trx: StoreTransaction) {
  const { rows } = await sql<Record<'projects' | 'sessions' | 'episodes' | 'deliveries', number>>`
    select (select count(*) from projects) as projects, (select count(*) from sessions) as sessions,
      (select count(*) from episodes) as episodes, (select count(*) from deliveries) as deliveries
  `.execute(trx);
  return rows[0] ?? { projects: 0, sessions: 0, episodes: 0, deliveries: 0 };
}

function isInSessions(keys: readonly SessionKey[]) {
  const values = sql.join(keys.map(({ agent, sessionId }) => sql`(${agent}, ${sessionId})`));
  return sql<boolean>`(agent, session_id) in (values ${values})`;
}

function toKey(row: CallRow): SessionKey {
  return { agent: row.agent, sessionId: row.session_id };
}

/** The sessions of a request, including the runs of sub-agents with a session id of their own. */
async function findSessionKeys(
  db: Database,
  request: Exclude<ForgetRequest, { kind: 'all' | 'lesson' }>,
): Promise<readonly SessionKey[]> {
  const found = new Map<string, SessionKey>();
  const add = (rows: readonly SessionKey[]): void => {
    for (const { agent, sessionId } of rows) found.set(toSessionKey({ agent, sessionId }), { agent, sessionId });
  };
  add(request.kind === 'session' ? await findOne(db, request.id) : await findOfProjects(db, request.ids));
  for (let round = [...found.values()]; round.length > 0; ) {
    const children = (await findChildren(db, round)).filter((key) => !found.has(toSessionKey(key)));
    add(children);
    round = children;
  }
  return [...found.values()];
}

/** Searches all tables, because a session that was only spooled or only received a delivery has no row of its own. */
async function findOne(db: Database, id: string): Promise<SessionKey[]> {
  const others = SESSION_TABLES.map(
    (table) => sql`union select agent, session_id from ${sql.table(table)} where session_id = ${id}`,
  );
  const { rows } = await sql<SessionKey>`
    select agent, session_id as "sessionId" from tool_outcomes where session_id = ${id} or root_session_id = ${id}
    ${sql.join(others, sql` `)}
  `.execute(db);
  return rows;
}

async function findOfProjects(db: Database, ids: readonly string[]): Promise<SessionKey[]> {
  const found: SessionKey[] = [];
  for (const chunk of toChunks(ids)) {
    const query = db.selectFrom('sessions').select(['agent', 'session_id as sessionId']);
    found.push(...(await query.where('project_id', 'in', chunk).execute()));
  }
  return found;
}

async function findChildren(db: Database, parents: readonly SessionKey[]): Promise<SessionKey[]> {
  const found: SessionKey[] = [];
  for (const chunk of toChunks(parents)) {
    const values = sql.join(chunk.map(({ agent, sessionId }) => sql`(${agent}, ${sessionId})`));
    const isChild = sql<boolean>`(agent, parent_session_id) in (values ${values})`;
    const query = db.selectFrom('sessions').select(['agent', 'session_id as sessionId']);
    found.push(...(await query.where(isChild).execute()));
  }
  return found;
}

/**
 * Keeps the scan state of a forgotten session's transcript, so that it is not read again, but under a hash, because its
 * path reveals the project and the session.
 */
async function forgetTranscripts(
  trx: StoreTransaction,
  keys: readonly SessionKey[],
  projectIds: readonly string[],
): Promise<number> {
  const rows = await trx.selectFrom('scan_state').select(['path', 'memo']).execute();
  const folders = await findFolders(trx, projectIds);
  const isAbout = (path: string): boolean =>
    keys.some(({ sessionId }) => sessionId !== '' && path.includes(sessionId)) ||
    path.split('/').some((part) => folders.has(part));
  const about = rows.filter(({ path }) => !path.startsWith('#') && isAbout(path));
  for (const { path, memo } of about) {
    const nameless = toNamelessPath(path);
    // A memo may contain the folder, and without it a read cannot continue. The tail is a hash of text.
    const point = memo === null ? {} : { memo: null, byte_offset: 0, lines: 0 };
    await trx.deleteFrom('scan_state').where('path', '=', nameless).execute();
    await trx
      .updateTable('scan_state')
      .set({ path: nameless, tail: null, ...point })
      .where('path', '=', path)
      .execute();
  }
  return about.length;
}

/** Agents name the folder of a project's transcripts after its path, with only letters and digits kept. */
async function findFolders(trx: StoreTransaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx.selectFrom('projects').select('roots').where('id', 'in', ids).execute();
  const roots = rows.flatMap((row) => JSON.parse(row.roots) as string[]);
  return new Set(roots.filter((root) => root !== '').map((root) => root.replace(/[^a-zA-Z0-9]/g, '-')));
}
