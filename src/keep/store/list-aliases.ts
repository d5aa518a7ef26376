/** Which project ids are one project. */
import type { Kysely } from 'kysely';
import { type ProjectAlias, toAlias, toAllIds } from '../../base/project-alias.ts';
import type { DatabaseSchema } from './database-schema.ts';

export async function listAliases(db: Kysely<DatabaseSchema>): Promise<readonly ProjectAlias[]> {
  const rows = await db.selectFrom('project_aliases').selectAll().orderBy('created_at').orderBy('from_id').execute();
  return rows.map((row) => toAlias(row.from_id, row.into_id, row.created_at, row.proof));
}

/** These ids and all others of the same projects. */
export async function listAllIds(db: Kysely<DatabaseSchema>, ids: readonly string[]): Promise<readonly string[]> {
  return toAllIds(await listAliases(db), ids);
}
