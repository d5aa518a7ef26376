/**
 * Says of a failed write that the place is read-only. The system's own words do not always: making a folder on a
 * read-only file system fails with "no such file or directory", and SQLite says that it cannot open the database.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { UserError } from '../../base/errors.ts';

interface ReadOnlyPlace {
  /** The file or folder, or the nearest existing folder above it. */
  readonly path: string;
  readonly reason: string;
  readonly next: string;
}

/** Undefined if the place is writable, or cannot even be read. */
export function findReadOnly(wanted: string): ReadOnlyPlace | undefined {
  let path = wanted;
  while (!existsSync(path) && path !== dirname(path)) path = dirname(path);
  try {
    accessSync(path, constants.R_OK);
  } catch {
    return undefined;
  }
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS')
      return { path, reason: 'is read-only: its file system is mounted read-only', next: 'mount it writable' };
    const { uid, mode } = statSync(path);
    const owner = uid === process.getuid?.() ? 'you' : `user ${uid}`;
    const reason = `is read-only for you: it belongs to ${owner}, with mode ${(mode & 0o777).toString(8)}`;
    return { path, reason, next: `give yourself write permission: ${owner === 'you' ? 'chmod u+w' : 'chown'} ${path}` };
  }
}

/** The error to print instead of one that a read-only place caused. */
export function findReadOnlyError(error: unknown, dataDir: string): UserError | undefined {
  const failed = findWriteFailure(error);
  if (failed === undefined) return undefined;
  // SQLite does not say which file.
  const { path = dataDir } = failed;
  const isOurs = path === dataDir || path.startsWith(`${dataDir}${sep}`);
  const place = (isOurs ? findReadOnly(dataDir) : undefined) ?? findReadOnly(path);
  if (place === undefined) return undefined;
  const next = isOurs ? `${place.next}; or use another data directory: --home DIR` : place.next;
  return new UserError({ subject: place.path, reason: place.reason, next, cause: error });
}

const DENIED = new Set(['EROFS', 'EACCES', 'EPERM', 'ERR_SQLITE_ERROR']);

function findWriteFailure(error: unknown): NodeJS.ErrnoException | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    const { code = '', syscall } = link as NodeJS.ErrnoException;
    if (DENIED.has(code) || (code === 'ENOENT' && syscall === 'mkdir')) return link;
  }
  return undefined;
}
