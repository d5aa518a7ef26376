/** Everything about one project or one session. A session belongs to the project it began in, wherever it went. */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { DropEvidence, ForgetReport, ForgetWish, SessionKey } from '../../base/forgotten.ts';
import type { CallRow, DatabaseSchema } from './database-schema.ts';
import { deleteCalls } from './delete-calls.ts';
import type { Engine } from './engine.ts';
import { findSessionKeys } from './find-session-keys.ts';
import { forgetLessons } from './forget-lessons.ts';
import { forgetTranscripts } from './forget-transcripts.ts';
import type { IdSequence } from './id-sequence.ts';
import { toChunks } from './to-chunks.ts';

export interface ForgetRequest {
  readonly wish: Exclude<ForgetWish, { kind: 'all' | 'lesson' }>;
  readonly at: string;
  readonly ids: IdSequence;
  readonly dropEvidence: DropEvidence;
}

export async function forgetAbout(
  engine: Engine,
  trx: Transaction<DatabaseSchema>,
  request: ForgetRequest,
): Promise<ForgetReport> {
  const { wish } = request;
  const wished = wish.kind === 'project' ? wish.ids : [];
  await engine.lock(trx, 'project', wished);
  const keys = await findSessionKeys(trx, wish);
  const calls = await findCalls(trx, keys, wished);
  await engine.lock(
    trx,
    'session',
    [...keys, ...calls.map(toKey)].map(({ agent, sessionId }) => `${agent} ${sessionId}`),
  );
  const transcripts = await forgetTranscripts(trx, keys, wished);
  const before = await countRows(trx);
  const lessons = await forgetLessons(engine, trx, { ...request, keys, calls, projectIds: wished });
  const signatures = await deleteCalls(engine, trx, calls);
  await deleteOfSessions(trx, keys, calls);
  const touched = [...new Set([...wished, ...calls.map((row) => row.project_id)])];
  await deleteProjects(trx, wished, touched);
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
  db: Kysely<DatabaseSchema>,
  keys: readonly SessionKey[],
  projectIds: readonly string[],
): Promise<readonly CallRow[]> {
  const found = new Map<string, CallRow>();
  const add = (rows: readonly CallRow[]): void => {
    for (const row of rows) found.set(row.id, row);
  };
  for (const chunk of toChunks(keys))
    add(await db.selectFrom('tool_outcomes').selectAll().where(isOf(chunk)).execute());
  for (const chunk of toChunks(projectIds)) {
    add(await db.selectFrom('tool_outcomes').selectAll().where('project_id', 'in', chunk).execute());
  }
  return [...found.values()];
}

async function deleteOfSessions(
  trx: Transaction<DatabaseSchema>,
  keys: readonly SessionKey[],
  calls: readonly CallRow[],
): Promise<void> {
  for (const chunk of toChunks(keys)) {
    await forgetFeedback(trx, isOf(chunk));
    for (const table of [
      'deliveries',
      'missed_opportunities',
      'added_texts',
      'episodes',
      'findings',
      'self_reports',
      'sessions',
    ] as const) {
      await trx.deleteFrom(table).where(isOf(chunk)).execute();
    }
  }
  for (const chunk of toChunks(calls)) {
    const ids = sql.join(chunk.map((row) => sql`(${row.agent}, ${row.session_id}, ${row.call_id})`));
    await forgetFeedback(trx, sql`(agent, session_id, call_id) in (values ${ids})`);
    for (const table of [sql.table('deliveries'), sql.table('missed_opportunities')])
      await sql`delete from ${table} where (agent, session_id, call_id) in (values ${ids})`.execute(trx);
  }
}

/** What was said about deliveries that are about to go. */
async function forgetFeedback(trx: Transaction<DatabaseSchema>, isGone: RawBuilder<unknown>): Promise<void> {
  await sql`delete from feedback where delivery_id in (select id from deliveries where ${isGone})`.execute(trx);
}

/** Those that were named, and those that were known from what is gone now only. */
async function deleteProjects(
  trx: Transaction<DatabaseSchema>,
  wished: readonly string[],
  touched: readonly string[],
): Promise<void> {
  for (const chunk of toChunks(wished)) {
    await trx.deleteFrom('projects').where('id', 'in', chunk).execute();
    await trx.deleteFrom('self_reports').where('project_id', 'in', chunk).execute();
    await trx.deleteFrom('promotions').where('project_id', 'in', chunk).execute();
    await trx.deleteFrom('missed_opportunities').where('project_id', 'in', chunk).execute();
    await trx.deleteFrom('project_commits').where('project_id', 'in', chunk).execute();
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

async function countRows(trx: Transaction<DatabaseSchema>) {
  const { rows } = await sql<Record<'projects' | 'sessions' | 'episodes' | 'deliveries', number>>`
    select (select count(*) from projects) as projects, (select count(*) from sessions) as sessions,
      (select count(*) from episodes) as episodes, (select count(*) from deliveries) as deliveries
  `.execute(trx);
  return rows[0] ?? { projects: 0, sessions: 0, episodes: 0, deliveries: 0 };
}

function isOf(keys: readonly SessionKey[]) {
  const values = sql.join(keys.map(({ agent, sessionId }) => sql`(${agent}, ${sessionId})`));
  return sql<boolean>`(agent, session_id) in (values ${values})`;
}

function toKey(row: CallRow): SessionKey {
  return { agent: row.agent, sessionId: row.session_id };
}
