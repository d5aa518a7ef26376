import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes sure that a file which was renamed into this folder is still there after a power cut. */
export function flushFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Some systems cannot flush a folder; the rename has happened all the same.
  }
}
