/** What must not come back. */
import type { Kysely } from 'kysely';
import type { Forgotten } from '../../base/forgotten.ts';
import type { DatabaseSchema } from './database-schema.ts';

export async function listForgotten(db: Kysely<DatabaseSchema>): Promise<readonly Forgotten[]> {
  const rows = await db.selectFrom('forgotten').selectAll().orderBy('kind').orderBy('id').execute();
  return rows.map(({ kind, id, forgotten_at }) => ({ kind, id, at: forgotten_at }));
}
