/** The address of a store: the supported URLs, a URL without its password, and the name of the store in memory. */

import { UserError } from '../../base/errors.ts';

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

export function toUrlError(url: string): UserError {
  return new UserError({
    subject: 'setting store.url',
    // Only the scheme is shown, because the rest may contain a password.
    reason: `names no store we know (${/^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? 'no scheme'})`,
    next: 'Set it to postgres://user@host/database, or leave it empty to keep everything in a file on this machine.',
  });
}

/** The address without its password, wherever that is. */
export function toShownUrl(url: string): string {
  return url
    .replace(/(:\/\/[^/?#:@]*):.*@/s, '$1:***@')
    .replace(/([?&][^=&#]*(?:password|passwd|pwd|secret|token|key)[^=&#]*=)[^&#]*/gi, '$1***');
}

/** In place of a file name: a store that ends with its process. */
export const IN_MEMORY = ':memory:';
