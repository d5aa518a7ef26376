/** A gzip file that is written beside its place and moved there when it is whole, flushed to the disk. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, createWriteStream, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface GzipDraft {
  /** Waits while the disk is slower than whoever tells. */
  write(text: string): Promise<void>;
  /** In its place, whole. Resolves to its size. */
  finish(): Promise<number>;
  /** Leaves nothing behind; does nothing after `finish`. */
  drop(): Promise<void>;
}

export function openGzipDraft(file: string): GzipDraft {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  const gzip = createGzip();
  // The handle is here, so that a folder that is not there fails at once.
  const handle = openSync(draft, 'wx', 0o600);
  const written = pipeline(gzip, createWriteStream(draft, { fd: handle, flush: true }));
  // Whoever writes or finishes hears of it.
  written.catch(() => {});
  return {
    async write(text) {
      if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written]);
    },
    async finish() {
      gzip.end();
      await written;
      renameSync(draft, file);
      flushFolder(dirname(file));
      return statSync(file).size;
    },
    async drop() {
      gzip.destroy();
      await written.catch(() => {});
      rmSync(draft, { force: true });
    },
  };
}

function flushFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Some systems cannot flush a folder; the rename has happened all the same.
  }
}
