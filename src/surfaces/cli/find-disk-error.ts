/** What the operating system refused, in words for a person. Undefined for everything that is not the disk's doing. */
import { UserError } from '../../base/errors.ts';

const REASONS: Readonly<Record<string, readonly [reason: string, next: string]>> = {
  ENOSPC: ['the disk is full', 'make room, then run the command again'],
  EDQUOT: ['your disk quota is used up', 'make room, then run the command again'],
  EROFS: ['the file system is read-only', 'use another data directory: --home DIR'],
  EACCES: ['may not be read or written', 'check its owner and permissions, or use another data directory: --home DIR'],
  EPERM: ['may not be changed', 'check its owner and permissions, or use another data directory: --home DIR'],
  ENOTDIR: ['is a file where a folder is needed', 'give a folder: --home DIR'],
};

export function findDiskError(error: unknown): UserError | undefined {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  if (known === undefined) return undefined;
  const [reason, next] = known;
  return new UserError({ subject: path ?? 'the data directory', reason, next, cause: error });
}
