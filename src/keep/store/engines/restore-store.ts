/** Replaces the whole content of a store by a backup: all or nothing, also if the process is killed. */
import { toReason, UserError } from '../../../base/errors.ts';
import type { StorePlace } from '../open-store.ts';
import type { RestoreHow, RestoreSource } from './restore-source.ts';

/** No other process of this machine may have the store open. */
export async function restoreStore(place: StorePlace, source: RestoreSource, how: RestoreHow): Promise<void> {
  try {
    // An unsupported address was already rejected when the store was opened.
    if (place.url === '') await (await import('./restore-sqlite.ts')).restoreSqlite(place.file, source, how);
    else await (await import('./restore-postgres.ts')).restorePostgres(place.url, source, how);
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
