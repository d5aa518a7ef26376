/**
 * Opens the store that the settings name, and replaces its content by a backup. An engine is loaded only if it is used:
 * `pg` costs start-up time.
 */
import type { Store } from '../../base/contracts/store.ts';
import { toReason, UserError } from '../../base/errors.ts';
import type { RestoreHow, RestoreSource } from './engines/restore-source.ts';
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

/**
 * Replaces the whole content of a store by a backup: all or nothing, also if the process is killed. No other process of
 * this machine may have the store open.
 */
export async function restoreStore(place: StorePlace, source: RestoreSource, how: RestoreHow): Promise<void> {
  try {
    // An unsupported address was already rejected when the store was opened.
    if (place.url === '') await (await import('./engines/restore-sqlite.ts')).restoreSqlite(place.file, source, how);
    else await (await import('./engines/restore-postgres.ts')).restorePostgres(place.url, source, how);
  } catch (cause) {
    if (cause instanceof UserError || isSystemError(cause)) throw cause;
    throw new UserError({
      subject: source.name,
      reason: `cannot be restored: ${toReason(cause)}`,
      next: 'The store was not changed. Choose another backup, or report this.',
      cause,
    });
  }
}

/** Errors of the disk have their own messages. */
function isSystemError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string';
}
