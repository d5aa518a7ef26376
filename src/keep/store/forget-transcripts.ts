/**
 * How far a forgotten session's transcript was read stays known, so that it is not read again, but under a hash: its
 * path tells the project and the session.
 */
import type { Transaction } from 'kysely';
import { type SessionKey, toNamelessPath } from '../../base/forgotten.ts';
import type { DatabaseSchema } from './database-schema.ts';

export async function forgetTranscripts(
  trx: Transaction<DatabaseSchema>,
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
    // A memo may name the folder, and without it there is no reading on. The tail is made of the text.
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

/** Agents name the folder of a project's transcripts after its path, with everything but letters and digits replaced. */
async function findFolders(trx: Transaction<DatabaseSchema>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx.selectFrom('projects').select('roots').where('id', 'in', ids).execute();
  const roots = rows.flatMap((row) => JSON.parse(row.roots) as string[]);
  return new Set(roots.filter((root) => root !== '').map((root) => root.replace(/[^a-zA-Z0-9]/g, '-')));
}
