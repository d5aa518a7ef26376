/**
 * Writes all rows of a store into one gzip file, on request or automatically. The file is written beside its place and
 * moved there when it is complete and flushed to disk. Automatic backups stay within their number and size.
 */

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Store } from '../../base/contracts/store.ts';
import { BACKUP_VERSION, type BackupEnd, type BackupHeader, type RowCounts } from '../../base/storage/backup.ts';
import {
  type AutomaticBackup,
  dropOldBackups,
  flushFolder,
  MAX_AUTOMATIC_BYTES,
  toBackupFile,
} from './backup-files.ts';

interface WrittenBackup {
  readonly file: string;
  readonly bytes: number;
  readonly header: BackupHeader;
  readonly rows: RowCounts;
}

interface BackupRequest {
  readonly file: string;
  readonly at: string;
  /** The version of the product. */
  readonly oncebitten: string;
  /** Called after each part; the next part waits for it. */
  onRows(count: number): void | Promise<void>;
}

/** Replaces an existing file; a caller that must not do so checks before. */
export async function writeBackup(store: Pick<Store, 'readSnapshot'>, request: BackupRequest): Promise<WrittenBackup> {
  const draft = openGzipDraft(request.file);
  const disk: { error?: unknown } = {};
  try {
    const { header, rows } = await fill(store, request, (text) => writeToDraft(draft, text, disk));
    const bytes = await draft.finish();
    return { file: request.file, bytes, header, rows };
  } catch (error) {
    // An error of the disk is not a failure of the store.
    throw toNamed(disk.error ?? error, request.file);
  } finally {
    await draft.drop();
  }
}

async function fill(
  store: Pick<Store, 'readSnapshot'>,
  request: BackupRequest,
  writeText: (text: string) => Promise<void>,
) {
  const hash = createHash('sha256');
  const write = (line: unknown): Promise<void> => {
    const text = `${JSON.stringify(line)}\n`;
    hash.update(text);
    return writeText(text);
  };
  let header: BackupHeader | undefined;
  let written = 0;
  const rows = await store.readSnapshot({
    async begin(facts) {
      const { at, oncebitten } = request;
      header = {
        $schema: 'oncebitten/backup.schema.json',
        type: 'backup',
        version: BACKUP_VERSION,
        ...facts,
        at,
        oncebitten,
      };
      await write(header);
    },
    async writeRows(part) {
      await write(part);
      written += part.rows.length;
      await request.onRows(written);
    },
  });
  if (header === undefined) throw new Error('the store did not report its engine and version');
  await write({ end: true, rows, sha256: hash.copy().digest('hex') } satisfies BackupEnd);
  return { header, rows };
}

async function writeToDraft(draft: GzipDraft, text: string, disk: { error?: unknown }): Promise<void> {
  try {
    await draft.write(text);
  } catch (error) {
    disk.error = error;
    throw error;
  }
}

/** A failed write does not name its file. */
function toNamed(error: unknown, file: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  return error instanceof Error && code !== undefined && path === undefined
    ? Object.assign(error, { path: file })
    : error;
}

/** Writes an automatic backup, and keeps all of them within their number and size. */
interface AutomaticRequest extends Omit<BackupRequest, 'file'> {
  readonly backupsDir: string;
  readonly kind: AutomaticBackup;
  readonly maxBytes?: number;
  /** From a trusted clock: backups from before a migration, a removal or a restore are deleted if they are older. */
  readonly oldBefore?: string;
}

interface AutomaticResult extends WrittenBackup {
  /** The backup alone exceeds the total limit, so it was removed again and older ones were kept. */
  readonly isTooLarge: boolean;
}

/** Rejects if the backup cannot be written; then nothing may be removed or migrated. */
export async function writeAutomaticBackup(
  source: Pick<Store, 'readSnapshot'>,
  { backupsDir, kind, maxBytes = MAX_AUTOMATIC_BYTES, oldBefore, ...request }: AutomaticRequest,
): Promise<AutomaticResult> {
  mkdirSync(backupsDir, { recursive: true, mode: 0o700 });
  const written = await writeBackup(source, { ...request, file: toBackupFile({ backupsDir }, request.at, kind) });
  const isTooLarge = written.bytes > maxBytes;
  if (isTooLarge) rmSync(written.file, { force: true });
  dropOldBackups({ backupsDir }, maxBytes, oldBefore);
  return { ...written, isTooLarge };
}

interface GzipDraft {
  /** Waits while the disk is slower than the writer. */
  write(text: string): Promise<void>;
  /** Moves the complete file into place. Resolves to its size. */
  finish(): Promise<number>;
  /** Removes the draft; does nothing after `finish`. */
  drop(): Promise<void>;
}

/** A gzip file that is written beside its place and moved there once it is complete and flushed to disk. */
function openGzipDraft(file: string): GzipDraft {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  const gzip = createGzip();
  // Opened here, so that a missing folder fails at once.
  const handle = openSync(draft, 'wx', 0o600);
  const written = pipeline(gzip, createWriteStream(draft, { fd: handle, flush: true }));
  // `write` and `finish` report the error.
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
