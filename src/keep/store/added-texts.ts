/** What we added to conversations, in bytes. */
import { type Kysely, sql } from 'kysely';
import type { AddedCount, AddedText } from '../../base/added-text.ts';
import type { DeliveryQuery } from '../../base/delivery-query.ts';
import { and } from './count-history.ts';
import type { DatabaseSchema } from './database-schema.ts';
import { listAllIds } from './list-aliases.ts';
import { toTime } from './to-time.ts';

/** The same text told twice is one row. */
export async function saveAdded(db: Kysely<DatabaseSchema>, texts: readonly AddedText[]): Promise<void> {
  for (const { agent, sessionId, contextId, callId, kind, bytes, version = null, at } of texts)
    await db
      .insertInto('added_texts')
      .values({
        ...{ agent, session_id: sessionId, context_id: contextId, call_id: callId, kind, bytes, version },
        added_at: toTime(at),
      })
      .onConflict((oc) => oc.doNothing())
      .execute();
}

/** Of all lessons: a text may hold several. */
export async function countAdded(
  db: Kysely<DatabaseSchema>,
  { agent, projectIds, sessionId, since }: DeliveryQuery,
): Promise<readonly AddedCount[]> {
  const ids = projectIds === undefined ? [] : await listAllIds(db, projectIds);
  const isThere = ids.length === 0 ? sql`1 = 0` : sql`x.project_id in (${sql.join(ids)})`;
  const { rows } = await sql<Pick<AddedCount, 'kind'> & Record<'texts' | 'bytes', number | string | bigint>>`
    select d.kind, count(*) as texts, sum(d.bytes) as bytes from added_texts as d
    left join sessions as x on x.agent = d.agent and x.session_id = d.session_id
    where ${and([
      ...(agent === undefined ? [] : [sql`d.agent = ${agent}`]),
      ...(projectIds === undefined ? [] : [isThere]),
      ...(sessionId === undefined ? [] : [sql`d.session_id = ${sessionId}`]),
      ...(since === undefined ? [] : [sql`d.added_at >= ${since}`]),
    ])}
    group by d.kind order by d.kind
  `.execute(db);
  return rows.map(({ kind, texts, bytes }) => ({ kind, texts: Number(texts), bytes: Number(bytes) }));
}
