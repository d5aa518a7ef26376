/** Writes everything that is in a store into one file. */
import { createHash } from 'node:crypto';
import { BACKUP_VERSION, type BackupEnd, type BackupHeader, type RowCounts } from '../../base/backup.ts';
import type { Store } from '../../base/store.ts';
import { type GzipDraft, openGzipDraft } from './open-gzip-draft.ts';

export interface WrittenBackup {
  readonly file: string;
  readonly bytes: number;
  readonly header: BackupHeader;
  readonly rows: RowCounts;
}

export interface BackupWish {
  readonly file: string;
  readonly at: string;
  /** The version of the product. */
  readonly oncebitten: string;
  /** Called after each part; the next one waits for it. */
  onRows(count: number): void | Promise<void>;
}

/** A file that is there already is replaced: who must not, asks before. */
export async function writeBackup(store: Pick<Store, 'readSnapshot'>, wish: BackupWish): Promise<WrittenBackup> {
  const draft = openGzipDraft(wish.file);
  const disk: { error?: unknown } = {};
  try {
    const { header, rows } = await fill(store, wish, (text) => writeText(draft, text, disk));
    const bytes = await draft.finish();
    return { file: wish.file, bytes, header, rows };
  } catch (error) {
    // What the disk refused is not the store's failure.
    throw toNamed(disk.error ?? error, wish.file);
  } finally {
    await draft.drop();
  }
}

async function fill(store: Pick<Store, 'readSnapshot'>, wish: BackupWish, tell: (text: string) => Promise<void>) {
  const hash = createHash('sha256');
  const write = (line: unknown): Promise<void> => {
    const text = `${JSON.stringify(line)}\n`;
    hash.update(text);
    return tell(text);
  };
  let header: BackupHeader | undefined;
  let told = 0;
  const rows = await store.readSnapshot({
    async begin(facts) {
      const { at, oncebitten } = wish;
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
    async tell(part) {
      await write(part);
      told += part.rows.length;
      await wish.onRows(told);
    },
  });
  if (header === undefined) throw new Error('the store told nothing of itself');
  await write({ end: true, rows, sha256: hash.copy().digest('hex') } satisfies BackupEnd);
  return { header, rows };
}

async function writeText(draft: GzipDraft, text: string, disk: { error?: unknown }): Promise<void> {
  try {
    await draft.write(text);
  } catch (error) {
    disk.error = error;
    throw error;
  }
}

/** A write that fails does not say of which file. */
function toNamed(error: unknown, file: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  return error instanceof Error && code !== undefined && path === undefined
    ? Object.assign(error, { path: file })
    : error;
}
