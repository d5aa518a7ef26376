/** `oncebitten restore`: checks a backup, shows what would be, asks, and puts it in the place of the store. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { listBackupFiles } from '../../../keep/backup/backup-files.ts';
import { type CheckedBackup, checkBackup } from '../../../keep/backup/check-backup.ts';
import { readSettings } from '../../../keep/read-settings.ts';
import { restoreData } from '../../daemon/restore-data.ts';
import { withoutDaemon } from '../../daemon/without-daemon.ts';
import { readBuildVersion } from '../../package-root.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { toWholePage } from '../page.ts';
import { type Present, readPresent } from '../read-present.ts';
import { renderBackups, renderPreview, renderRestored } from '../render-restore.ts';

export const run: Handler = async (input) => {
  const [name] = input.arguments;
  if (name === undefined) return list(input);
  const file = toFile(input, name);
  const backup = await checkBackup(file, (count) => input.progress(`Checking: ${count} rows`));
  const present = await readPresent(input, backup);
  const facts = toFacts(backup, present);
  const preview = renderPreview(backup, present);
  if (input.options.dryRun === true) return { json: { restored: false, ...facts }, text: preview };
  if (!(await isConfirmed(input, preview)))
    return { json: { restored: false }, text: 'Nothing was changed.', failed: true };
  const settings = readSettings(input.home.configFile, input.env);
  const oncebitten = readBuildVersion();
  const at = new Date().toISOString();
  const { home, progress } = input;
  const { done, trouble } = await withoutDaemon(home, () =>
    restoreData({ home, settings, oncebitten, at, progress }, backup),
  );
  const troubles = [done.trouble, trouble && `the daemon did not start again: ${trouble}`].filter(Boolean);
  const { trouble: _, ...kept } = done;
  return {
    json: { restored: true, ...facts, ...kept, troubles },
    text: [renderRestored(backup, present, done), ...troubles].join('\n'),
  };
};

/** A path, or the name of a backup in the data directory. */
function toFile({ cwd, home }: CommandInput, name: string): string {
  const [path, listed] = [resolve(cwd, name), join(home.backupsDir, name)];
  return !existsSync(path) && basename(name) === name && existsSync(listed) ? listed : path;
}

async function isConfirmed({ options, ask }: CommandInput, preview: string): Promise<boolean> {
  if (options.yes === true) return true;
  if (ask !== undefined) return (await ask(`${preview}\nType yes to replace it: `)).trim().toLowerCase() === 'yes';
  throw new UserError({
    subject: 'restore',
    reason: 'replaces everything in the store and there is nobody to ask',
    next: 'see what would be with --dry-run, then add --yes',
  });
}

function toFacts({ file, header, rows }: CheckedBackup, present: Present) {
  const { at, engine, migration, oncebitten } = header;
  return {
    file,
    backup: { at, engine, migration, oncebitten, rows },
    now: present.rows ?? null,
    unforgotten: present.forgotten,
  };
}

function list({ home }: CommandInput): CommandResult {
  const backups = listBackupFiles(home);
  return { json: toWholePage(backups), text: renderBackups(backups) };
}
