/** `oncebitten data backup`: everything in the store as one file, while the daemon goes on. */
import { mkdirSync } from 'node:fs';
import { type RowCounts, sumRows } from '../../../base/storage/backup.ts';
import { toBackupFile } from '../../../keep/backup/backup-files.ts';
import { writeBackup } from '../../../keep/backup/write-backup.ts';
import { readBuildVersion } from '../../../loop/home/program-files.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { getOutFile } from '../arguments/options.ts';
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
    const oncebitten = readBuildVersion();
    return writeBackup(store, { file, at, oncebitten, onRows });
  });
  const { header, bytes, rows } = written;
  const { engine, migration, oncebitten } = header;
  return {
    json: { file, bytes, at, engine, migration, oncebitten, rows, complete: !isLate },
    text: render(file, bytes, rows, isLate),
  };
};

function toFile(input: CommandInput, at: string): string {
  const { home, options } = input;
  if (typeof options.out === 'string') return getOutFile(options.out, input);
  mkdirSync(home.backupsDir, { recursive: true, mode: 0o700 });
  return toBackupFile(home, at);
}

function render(file: string, bytes: number, rows: RowCounts, isLate: boolean): string {
  return [
    `Wrote a backup to ${file} (${Math.ceil(bytes / 1024)} KB, ${sumRows(rows)} rows, ${rows.lessons ?? 0} lessons).`,
    ...(isLate ? ['The daemon is busy, so the backup lacks the events that it has not stored yet.'] : []),
    'The backup contains no settings, hooks and switches, because those are separate files.',
    `Restore it: oncebitten data restore ${file}`,
  ].join('\n');
}
