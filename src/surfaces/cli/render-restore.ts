/** What a restore would do, and what it did. */

import type { BackupFile } from '../../keep/backup/backup-files.ts';
import type { CheckedBackup } from '../../keep/backup/check-backup.ts';
import type { RestoreReport } from '../daemon/restore-data.ts';
import type { Present } from './read-present.ts';
import { renderTable } from './render-table.ts';

/** Tables that have other names for people. */
const NAMES: Readonly<Record<string, string>> = {
  tool_outcomes: 'calls',
  lesson_history: 'changes of lessons',
  scan_state: 'transcripts read',
  self_reports: 'reports',
  added_texts: 'texts added to conversations',
  project_aliases: 'joined projects',
  project_links: 'reasons for joins',
  project_commits: 'commits of projects',
  signatures: 'failure forms',
  forgotten: 'forgotten',
};

const KINDS: Readonly<Record<BackupFile['kind'], string>> = {
  own: 'you',
  damaged: 'restore, a damaged store',
  daily: 'daily',
  'before-migration': 'before an update',
  'before-removal': 'before a removal',
  'before-restore': 'before a restore',
};

export function renderPreview(backup: CheckedBackup, present: Present): string {
  const { file, header, rows } = backup;
  const tables = [...new Set([...Object.keys(rows), ...Object.keys(present.rows ?? {})])];
  const table = renderTable(
    ['', 'now', 'then'],
    tables.map((name) => [NAMES[name] ?? name, toCount(present.rows?.[name], present), String(rows[name] ?? 0)]),
  );
  return [
    `${file}: whole, of ${header.at}, written by ${header.oncebitten} on ${header.engine} (${header.migration})`,
    table,
    ...(present.rows === undefined ? ['The store there is now is damaged; its file will be kept.'] : []),
    ...renderUnforgotten(present),
    ...(present.shared ? ['The store is shared: this replaces what EVERYBODY who uses it has.'] : []),
  ].join('\n');
}

export function renderRestored({ file, header }: CheckedBackup, present: Present, report: RestoreReport): string {
  return [
    `Restored: ${file}, of ${header.at}.`,
    ...(report.savedTo === undefined
      ? []
      : [`What was there before: ${report.savedTo}`, `Take it back: oncebitten restore ${report.savedTo}`]),
    ...(report.damaged === undefined ? [] : [`The damaged store was kept: ${report.damaged}`]),
    ...renderUnforgotten(present),
    'What happened since the backup comes back from the transcripts that are still there: oncebitten scan',
  ].join('\n');
}

export function renderBackups(backups: readonly BackupFile[]): string {
  if (backups.length === 0) return 'There is no backup in the data directory. Make one: oncebitten backup';
  const rows = backups.map(({ at, bytes, kind, file }) => [at, `${Math.ceil(bytes / 1024)} KB`, KINDS[kind], file]);
  return [
    renderTable(['made', 'size', 'by', 'file'], rows),
    '',
    'Look into one: oncebitten restore FILE --dry-run',
  ].join('\n');
}

function renderUnforgotten({ forgotten }: Present): readonly string[] {
  if (forgotten === 0) return [];
  return [
    `${forgotten} times something was forgotten after this backup: it comes back, and has to be forgotten again.`,
  ];
}

function toCount(count: number | undefined, { rows }: Present): string {
  return rows === undefined ? '?' : String(count ?? 0);
}
