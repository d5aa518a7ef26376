/** Replaces everything in a store by what is in a backup: all of it or nothing, also when the process is killed. */
import { toReason, UserError } from '../../../base/errors.ts';
import type { StorePlace } from '../open-store.ts';
import type { RestoreHow, RestoreSource } from './restore-source.ts';

/** Nobody else of this machine may have the store open. */
export async function restoreStore(place: StorePlace, source: RestoreSource, how: RestoreHow): Promise<void> {
  try {
    // An address that names no store was refused when the store was opened.
    if (place.url === '') await (await import('./restore-sqlite.ts')).restoreSqlite(place.file, source, how);
    else await (await import('./restore-postgres.ts')).restorePostgres(place.url, source, how);
  } catch (cause) {
    if (cause instanceof UserError || isSystemError(cause)) throw cause;
    throw new UserError({
      subject: source.name,
      reason: `cannot be restored: ${toReason(cause)}`,
      next: 'The store is as it was. Take another backup, or report this.',
      cause,
    });
  }
}

/** The disk's refusals have words of their own. */
function isSystemError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string';
}
