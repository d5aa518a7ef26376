/** Opens the store that the settings name. An engine is loaded only if it is used: `pg` costs start-up time. */
import type { Store } from '../../base/contracts/store.ts';
import { isPostgresUrl, toUrlError } from './store-address.ts';

export interface StorePlace {
  /** The setting `store.url`: `postgres://…`, or empty for the file. */
  readonly url: string;
  readonly file: string;
}

export async function openStore({ url, file }: StorePlace): Promise<Store> {
  if (url === '') return (await import('./engines/sqlite.ts')).openSqliteStore(file);
  if (isPostgresUrl(url)) return (await import('./engines/postgres.ts')).openPostgresStore(url);
  throw toUrlError(url);
}
