/** The sessions that a wish to forget is about, with the sub-agents' runs that have a session id of their own. */
import { type Kysely, sql } from 'kysely';
import type { ForgetWish, SessionKey } from '../../base/forgotten.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { toChunks } from './to-chunks.ts';

export async function findSessionKeys(
  db: Kysely<DatabaseSchema>,
  wish: Exclude<ForgetWish, { kind: 'all' | 'lesson' }>,
): Promise<readonly SessionKey[]> {
  const found = new Map<string, SessionKey>();
  const add = (rows: readonly SessionKey[]): void => {
    for (const { agent, sessionId } of rows) found.set(`${agent}\n${sessionId}`, { agent, sessionId });
  };
  add(wish.kind === 'session' ? await findOne(db, wish.id) : await findOfProjects(db, wish.ids));
  for (let round = [...found.values()]; round.length > 0; ) {
    const children = (await findChildren(db, round)).filter((key) => !found.has(`${key.agent}\n${key.sessionId}`));
    add(children);
    round = children;
  }
  return [...found.values()];
}

/** Wherever it left a row: a session that was only spooled for, or only heard something, has no row of its own. */
async function findOne(db: Kysely<DatabaseSchema>, id: string): Promise<SessionKey[]> {
  const { rows } = await sql<SessionKey>`
    select agent, session_id as "sessionId" from sessions where session_id = ${id}
    union select agent, session_id from tool_outcomes where session_id = ${id} or root_session_id = ${id}
    union select agent, session_id from deliveries where session_id = ${id}
    union select agent, session_id from missed_opportunities where session_id = ${id}
    union select agent, session_id from episodes where session_id = ${id}
    union select agent, session_id from findings where session_id = ${id}
    union select agent, session_id from self_reports where session_id = ${id}
    union select agent, session_id from added_texts where session_id = ${id}
  `.execute(db);
  return rows;
}

async function findOfProjects(db: Kysely<DatabaseSchema>, ids: readonly string[]): Promise<SessionKey[]> {
  const found: SessionKey[] = [];
  for (const chunk of toChunks(ids)) {
    const query = db.selectFrom('sessions').select(['agent', 'session_id as sessionId']);
    found.push(...(await query.where('project_id', 'in', chunk).execute()));
  }
  return found;
}

async function findChildren(db: Kysely<DatabaseSchema>, parents: readonly SessionKey[]): Promise<SessionKey[]> {
  const found: SessionKey[] = [];
  for (const chunk of toChunks(parents)) {
    const values = sql.join(chunk.map(({ agent, sessionId }) => sql`(${agent}, ${sessionId})`));
    const isChild = sql<boolean>`(agent, parent_session_id) in (values ${values})`;
    const query = db.selectFrom('sessions').select(['agent', 'session_id as sessionId']);
    found.push(...(await query.where(isChild).execute()));
  }
  return found;
}
