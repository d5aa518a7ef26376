/** `oncebitten backup`: everything in the store as one file, while the daemon goes on. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type RowCounts, sumRows } from '../../../base/backup.ts';
import { UserError } from '../../../base/errors.ts';
import { writeBackup } from '../../../keep/backup/write-backup.ts';
import { toBackupFile } from '../../backup-files.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { findPackageRoot, readBuildVersion } from '../../package-root.ts';
import type { CommandInput, Handler } from '../command.ts';
import { withHome } from '../open-home.ts';

export const run: Handler = async (input) => {
  const at = new Date().toISOString();
  const file = toFile(input, at);
  // What is on its way is brought in first.
  const isLate = (await askDaemon<{ flushed: boolean }>(input.home, 'flush'))?.flushed === false;
  const written = await withHome(input, async ({ store }) => {
    const all = sumRows(await store.countRows());
    const onRows = (count: number): void => input.progress(`Writing: ${count} of ${Math.max(all, count)} rows`);
    const oncebitten = readBuildVersion(join(findPackageRoot(), 'dist'));
    return writeBackup(store, { file, at, oncebitten, onRows });
  });
  const { header, bytes, rows } = written;
  const { engine, migration, oncebitten } = header;
  return {
    json: { file, bytes, at, engine, migration, oncebitten, rows, complete: !isLate },
    text: render(file, bytes, rows, isLate),
  };
};

function toFile({ home, options, cwd }: CommandInput, at: string): string {
  if (typeof options.out !== 'string') {
    mkdirSync(home.backupsDir, { recursive: true, mode: 0o700 });
    return toBackupFile(home, at);
  }
  const file = resolve(cwd, options.out);
  const refuse = (reason: string, next: string) => new UserError({ subject: file, reason, next });
  if (!existsSync(dirname(file))) throw refuse('its folder is not there', `make it: mkdir -p ${dirname(file)}`);
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw refuse('is a folder', 'name a file: --out FILE');
  if (there !== undefined && options.force !== true)
    throw refuse('is there already', 'name another file, or replace it with --force');
  return file;
}

function render(file: string, bytes: number, rows: RowCounts, isLate: boolean): string {
  return [
    `Backup: ${file} (${Math.ceil(bytes / 1024)} KB, ${sumRows(rows)} rows, ${rows.lessons ?? 0} lessons)`,
    ...(isLate ? ['The daemon is busy: what it has not stored yet is not in it.'] : []),
    'Settings, hooks and switches are files of their own and not in it.',
    `Back to it: oncebitten restore ${file}`,
  ].join('\n');
}
