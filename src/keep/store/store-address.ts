/**
 * The address of a store: which URLs are supported, how a URL is shown without its password, and the name of the store
 * in memory.
 */

import { UserError } from '../../base/errors.ts';

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

export function toUrlError(url: string): UserError {
  return new UserError({
    subject: 'setting store.url',
    // Only the scheme: the rest may hold a password.
    reason: `names no store we know (${/^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? 'no scheme'})`,
    next: 'Set it to postgres://user@host/database, or leave it empty to keep everything in a file on this machine.',
  });
}

/** Without its password, wherever in the address it stands. */
export function toShownUrl(url: string): string {
  return url
    .replace(/(:\/\/[^/?#:@]*):.*@/s, '$1:***@')
    .replace(/([?&][^=&#]*(?:password|passwd|pwd|secret|token|key)[^=&#]*=)[^&#]*/gi, '$1***');
}

/** Instead of the name of a file: a store that goes with its process. */
export const IN_MEMORY = ':memory:';
