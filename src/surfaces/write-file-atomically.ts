/**
 * Writes a file so that every reader sees either the old bytes or the new ones, also after a crash: a temporary file in
 * the same folder, flushed to disk, renamed over the old one.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface AtomicWrite {
  readonly path: string;
  readonly bytes: Buffer;
  /** Mode of a new file, before the umask. */
  readonly mode: number;
  /** Mode and owner to keep. */
  readonly like?: Stats | undefined;
  /** Asked last, just before the rename. */
  readonly mayReplace?: () => boolean;
}

/** False when `mayReplace` said no; nothing is changed then. */
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
  // Until it has the owner and mode it should have, nobody else may read it.
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
    // Only root may give a file away; ours is then readable for its mode, which is what matters.
  }
  // After the owner: changing that clears bits of the mode.
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
    // Some systems cannot flush a folder; the rename has happened all the same.
  }
}
