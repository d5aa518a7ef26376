/**
 * Writes files atomically, and writes files of the data directory so that only the user can read them. A reader sees
 * either the old bytes or the new ones, also after a crash, because the writer fills a temporary file in the same
 * folder, flushes it to disk and renames it over the old file.
 */

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface AtomicWrite {
  readonly path: string;
  readonly bytes: Buffer;
  /** Mode of a new file, before the umask. */
  readonly mode: number;
  /** Mode and owner to keep. */
  readonly like?: Stats | undefined;
  /** Called last, just before the rename. */
  readonly mayReplace?: () => boolean;
}

/** Returns false, and changes nothing, if `mayReplace` returns false. */
export function writeFileAtomically(write: AtomicWrite): boolean {
  const temporary = join(dirname(write.path), `.${basename(write.path)}.${randomUUID()}.tmp`);
  try {
    writeTemporary(temporary, write);
    if (write.mayReplace?.() === false) return false;
    renameSync(temporary, write.path);
  } finally {
    rmSync(temporary, { force: true });
  }
  flushFolder(dirname(write.path));
  return true;
}

function writeTemporary(temporary: string, { bytes, mode, like }: AtomicWrite): void {
  // The file stays private until it has its final owner and mode.
  const handle = openSync(temporary, 'wx', like === undefined ? mode : 0o600);
  try {
    writeFileSync(handle, bytes);
    if (like !== undefined) keepOwnerAndMode(handle, like);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function keepOwnerAndMode(handle: number, like: Stats): void {
  try {
    fchownSync(handle, like.uid, like.gid);
  } catch {
    // Only root may change the owner. The mode, which matters more, is set below.
  }
  // Set the mode after the owner, because changing the owner clears bits of the mode.
  fchmodSync(handle, like.mode & 0o7777);
}

function flushFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Some systems cannot flush a folder; the rename has still happened.
  }
}

/** Writes a file of the data directory atomically, readable by the user only. */
export function writeOwnFile(path: string, content: string | Buffer, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomically({ path, bytes: typeof content === 'string' ? Buffer.from(content) : content, mode });
}
