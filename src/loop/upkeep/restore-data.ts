/** Replaces the store by a backup, saves the old store first, and updates the files that hooks read. */
import { existsSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { toReason, UserError } from '../../base/errors.ts';
import type { Settings } from '../../base/model/settings.ts';
import { sumRows } from '../../base/storage/backup.ts';
import { toDamagedFile } from '../../keep/backup/backup-files.ts';
import type { CheckedBackup } from '../../keep/backup/read-backup.ts';
import { openBackup } from '../../keep/backup/read-backup.ts';
import { writeAutomaticBackup } from '../../keep/backup/write-backup.ts';
import { isBrokenFile } from '../../keep/store/engines/sqlite.ts';
import { openStore, restoreStore } from '../../keep/store/open-store.ts';
import { compileLessons } from '../compile-lessons.ts';
import type { DataHome } from '../home/data-home.ts';
import { writeBriefs } from '../write-briefs.ts';

interface RestoreParts {
  readonly home: DataHome;
  readonly settings: Settings;
  /** The version of the product. */
  readonly oncebitten: string;
  readonly at: string;
  readonly progress: (line: string) => void;
}

export interface RestoreReport {
  /** Backup of the replaced store. Absent if there was none. */
  readonly savedTo?: string;
  /** The old store, which could not be read. */
  readonly damaged?: string;
  /** What failed after the store was replaced. */
  readonly trouble?: string;
}

/** The daemon must be stopped, and its lock held. */
export async function restoreData(parts: RestoreParts, backup: CheckedBackup): Promise<RestoreReport> {
  const kept = await keepPresent(parts);
  const { header, tables, parts: rows } = await openBackup(backup.file);
  if (!isDeepStrictEqual(header, backup.header)) {
    const reason = 'was changed while it was read';
    throw new UserError({ subject: backup.file, reason, next: 'Nothing was changed; run it again.' });
  }
  const all = sumRows(backup.rows);
  await restoreStore(
    toPlace(parts),
    {
      name: backup.file,
      migration: header.migration,
      columns: new Map([...tables].map(([table, columns]) => [table, [...columns.keys()]])),
      parts: rows,
    },
    {
      onRows: (count) => parts.progress(`Restoring: ${count} of ${all} rows`),
      ...(kept.damaged === undefined ? {} : { aside: kept.damaged }),
    },
  );
  return { ...kept, ...(await refresh(parts)) };
}

/** A damaged store cannot be read, so its file is kept instead. */
export function isDamaged(error: unknown): boolean {
  return isBrokenFile(error) || (error instanceof Error && error.cause !== undefined && isDamaged(error.cause));
}

async function keepPresent(parts: RestoreParts): Promise<Pick<RestoreReport, 'savedTo' | 'damaged'>> {
  const { home, at, oncebitten, progress } = parts;
  const place = toPlace(parts);
  if (place.url === '' && !existsSync(place.file)) return {};
  try {
    const store = await openStore(place);
    try {
      const all = sumRows(await store.countRows());
      if (all === 0) return {};
      const onRows = (count: number): void => progress(`Saving the current data: ${count} of ${all} rows`);
      const { backupsDir } = home;
      const wish = { backupsDir, kind: 'before-restore', at, oncebitten, onRows } as const;
      const { file } = await writeAutomaticBackup(store, { ...wish, maxBytes: Number.POSITIVE_INFINITY });
      return { savedTo: file };
    } finally {
      await store.close();
    }
  } catch (error) {
    if (place.url === '' && isDamaged(error)) return { damaged: toDamagedFile(home, at) };
    throw error;
  }
}

/** The daemon does the same at its start, so a failure here does not fail the restore. */
async function refresh(parts: RestoreParts): Promise<Pick<RestoreReport, 'trouble'>> {
  const { home, settings } = parts;
  try {
    const store = await openStore(toPlace(parts));
    try {
      await compileLessons({ store, settings, manifestFile: home.manifestFile });
      rmSync(home.briefsDir, { recursive: true, force: true });
      const projects = await store.listProjects();
      await writeBriefs(
        store,
        home,
        projects.map(({ id }) => id),
      );
      return {};
    } finally {
      await store.close();
    }
  } catch (error) {
    return { trouble: toReason(error) };
  }
}

function toPlace({ home, settings }: RestoreParts) {
  return { url: settings.store.url, file: home.storeFile };
}
