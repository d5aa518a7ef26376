/**
 * `oncebitten data backup` writes everything in the store into one file, while the daemon goes on. `oncebitten data
 * restore` checks a backup, previews the change, asks, and replaces the store with the backup. Data that the user
 * forgot after the backup comes back, so the preview warns of it.
 */

import { existsSync, mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type RowCounts, sumRows } from '../../../base/storage/backup.ts';
import type { Forgotten } from '../../../base/storage/forgotten.ts';
import { type BackupFile, listBackupFiles, toBackupFile } from '../../../keep/backup/backup-files.ts';
import { type CheckedBackup, checkBackup, toForgottenKey } from '../../../keep/backup/read-backup.ts';
import { writeBackup } from '../../../keep/backup/write-backup.ts';
import { readSettings } from '../../../keep/settings/read-settings.ts';
import { readBuildVersion } from '../../../loop/home/program-files.ts';
import { isDamaged, type RestoreReport, restoreData } from '../../../loop/upkeep/restore-data.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { withoutDaemon } from '../../daemon/control-daemon.ts';
import { getOutFile, isConfirmed } from '../arguments/options.ts';
import type { CommandInput, Handler } from '../command.ts';
import { readHome, withHome } from '../open-home.ts';
import { toWholePage } from '../paging.ts';
import { renderTable } from '../table.ts';
import { joinLines } from '../text.ts';

export const runBackup: Handler = async (input) => {
  const at = new Date().toISOString();
  const file = toNewFile(input, at);
  // The daemon stores its pending events first.
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
    text: renderWritten(file, bytes, rows, isLate),
  };
};

function toNewFile(input: CommandInput, at: string): string {
  const { home, options } = input;
  if (typeof options.out === 'string') return getOutFile(options.out, input);
  mkdirSync(home.backupsDir, { recursive: true, mode: 0o700 });
  return toBackupFile(home, at);
}

function renderWritten(file: string, bytes: number, rows: RowCounts, isLate: boolean): string {
  return joinLines([
    `Wrote a backup to ${file} (${Math.ceil(bytes / 1024)} KB, ${sumRows(rows)} rows, ${rows.lessons ?? 0} lessons).`,
    isLate && 'The daemon is busy, so the backup lacks the events that it has not stored yet.',
    'The backup contains no settings, no hooks, no pauses and no mutes, because they are separate files.',
    `Restore it: oncebitten data restore ${file}`,
  ]);
}

export const runRestore: Handler = async (input) => {
  const [name] = input.arguments;
  if (name === undefined) {
    const backups = listBackupFiles(input.home);
    return { json: toWholePage(backups), text: renderBackups(backups) };
  }
  const file = toFile(input, name);
  const backup = await checkBackup(file, (count) => input.progress(`Checking: ${count} rows`));
  const present = await readPresent(input, backup);
  const facts = toFacts(backup, present);
  const preview = renderPreview(backup, present);
  if (input.options.dryRun === true) return { json: { restored: false, ...facts }, text: preview };
  const confirmation = {
    question: `${preview}\nType yes to replace the store`,
    command: 'data restore',
    reason: 'replaces everything in the store, and there is no terminal to ask for confirmation',
  };
  if (!(await isConfirmed(input, confirmation)))
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

function toFacts({ file, header, rows }: CheckedBackup, present: Present) {
  const { at, engine, migration, oncebitten } = header;
  return {
    file,
    backup: { at, engine, migration, oncebitten, rows },
    now: present.rows ?? null,
    unforgotten: present.forgotten,
  };
}

/** Tables that have other names for people. */
const NAMES: Readonly<Record<string, string>> = {
  tool_outcomes: 'calls',
  lesson_history: 'changes of lessons',
  scan_state: 'transcripts read',
  self_reports: 'reports of agents',
  cures: 'known fixes',
  deliveries: 'records of shown or withheld lessons',
  episodes: 'failures and how they were fixed',
  findings: 'mistakes found in calls',
  learn_packs: 'packs for a language model',
  missed_opportunities: 'calls that a lesson did not warn of',
  remembered_calls: 'calls that failed before',
  added_texts: 'records of texts shown to agents',
  project_aliases: 'joined projects',
  project_links: 'reasons for joins',
  project_commits: 'commits of projects',
  signatures: 'failure signatures',
  forgotten: 'records of deleted data',
};

const KINDS: Readonly<Record<BackupFile['kind'], string>> = {
  own: 'you',
  damaged: 'restore, a damaged store',
  daily: 'daily',
  'before-migration': 'before an update',
  'before-removal': 'before a removal',
  'before-restore': 'before a restore',
};

/** What a restore would do, and what it did. */
function renderPreview(backup: CheckedBackup, present: Present): string {
  const { file, header, rows } = backup;
  const tables = [...new Set([...Object.keys(rows), ...Object.keys(present.rows ?? {})])];
  const table = renderTable(
    ['ROWS', 'NOW', 'IN THE BACKUP'],
    tables.map((name) => [
      NAMES[name] ?? name,
      present.rows === undefined ? '?' : String(present.rows[name] ?? 0),
      String(rows[name] ?? 0),
    ]),
  );
  return joinLines([
    `${file} is intact: written at ${header.at} by Oncebitten ${header.oncebitten} on ${header.engine} (${header.migration})`,
    table,
    present.rows === undefined && 'The current store is damaged; its file will be kept.',
    ...renderUnforgotten(present),
    present.shared && 'The store is shared: this replaces the data of EVERYONE who uses it.',
  ]);
}

function renderRestored({ file, header }: CheckedBackup, present: Present, report: RestoreReport): string {
  return joinLines([
    `Restored the backup of ${header.at} from ${file}.`,
    ...(report.savedTo === undefined
      ? []
      : [
          `The replaced data is now in the backup ${report.savedTo}`,
          `Undo: oncebitten data restore ${report.savedTo}`,
        ]),
    report.damaged !== undefined && `The damaged store was kept: ${report.damaged}`,
    ...renderUnforgotten(present),
    'To learn again what happened after the backup, read the transcripts that still exist: oncebitten scan',
  ]);
}

function renderBackups(backups: readonly BackupFile[]): string {
  if (backups.length === 0) return 'The data directory contains no backups. Make one: oncebitten data backup';
  const rows = backups.map(({ at, bytes, kind, file }) => [at, `${Math.ceil(bytes / 1024)} KB`, KINDS[kind], file]);
  return [
    renderTable(['made', 'size', 'by', 'file'], rows),
    '',
    'Check one: oncebitten data restore FILE --dry-run',
  ].join('\n');
}

function renderUnforgotten({ forgotten }: Present): readonly string[] {
  if (forgotten === 0) return [];
  return [
    `Data was forgotten ${forgotten === 1 ? 'once' : `${forgotten} times`} after this backup. It comes back; to remove it, forget it again.`,
  ];
}

interface Present {
  /** Undefined when it cannot be read. */
  readonly rows?: RowCounts;
  /** How often data was forgotten after the backup; that data comes back. */
  readonly forgotten: number;
  readonly shared: boolean;
}

/** The current content of the store, for the preview. */
async function readPresent(input: CommandInput, { header, forgotten: known }: CheckedBackup): Promise<Present> {
  const shared = readSettings(input.home.configFile, input.env).store.url !== '';
  if (!shared && !existsSync(input.home.storeFile)) return { rows: {}, forgotten: 0, shared };
  // So that the counts are right.
  await askDaemon(input.home, 'flush');
  try {
    return await readHome(input, async ({ store }) => {
      const isBack = ({ kind, id, at }: Forgotten): boolean => at > header.at && !known.has(toForgottenKey(kind, id));
      const forgotten = (await store.listForgotten()).filter(isBack).length;
      return { rows: await store.countRows(), forgotten, shared };
    });
  } catch (error) {
    if (!shared && isDamaged(error)) return { forgotten: 0, shared };
    throw error;
  }
}
