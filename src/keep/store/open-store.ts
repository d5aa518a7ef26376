/** Opens the store that the settings name. Each engine is loaded only when it is the one: `pg` costs start-up time. */
import { UserError } from '../../base/errors.ts';
import type { Store } from '../../base/store.ts';

export interface StorePlace {
  /** The setting `store.url`: `postgres://…`, or empty for the file. */
  readonly url: string;
  readonly file: string;
}

export async function openStore({ url, file }: StorePlace): Promise<Store> {
  if (url === '') return (await import('./open-sqlite-store.ts')).openSqliteStore(file);
  if (/^postgres(ql)?:\/\//.test(url)) return (await import('./open-postgres-store.ts')).openPostgresStore(url);
  throw new UserError({
    subject: 'setting store.url',
    // Only the scheme: the rest may hold a password.
    reason: `names no store we know (${/^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? 'no scheme'})`,
    next: 'Set it to postgres://user@host/database, or leave it empty to keep everything in a file on this machine.',
  });
}
