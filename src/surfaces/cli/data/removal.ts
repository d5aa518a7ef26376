/**
 * Shared parts of the commands that remove data (`forget`, `lessons delete`): preview and result texts, completion of
 * an interrupted removal, and the list of the user's backups that may still contain the data. A backup made before the
 * data began cannot contain it.
 */

import { basename } from 'node:path';
import type { ForgetReport, ForgetRequest } from '../../../base/storage/forgotten.ts';
import { type BackupFile, listBackupFiles } from '../../../keep/backup/backup-files.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { type ForgottenBackups, finishForgetting, listUnfinished } from '../../../loop/privacy/forget-data.ts';
import { withoutDaemon } from '../../daemon/control-daemon.ts';
import type { CommandInput, CommandResult } from '../command.ts';
import { withHome } from '../open-home.ts';
import { toCount } from '../text.ts';

const NO_SCAN = 'No scan brings it back, not even `scan --again`.';

export function renderPreview(
  report: ForgetReport & { readonly facts: number; readonly shared: boolean },
  name: string,
): string {
  const { lessonsChanged, facts } = report;
  return [
    `To be removed: ${name}`,
    `  ${renderCounts(report)}`,
    ...(lessonsChanged > 0
      ? [
          `  ${toCount(lessonsChanged, 'lesson')} with other evidence ${lessonsChanged === 1 ? 'stays, but loses' : 'stay, but lose'} this part of it`,
        ]
      : []),
    ...(facts > 0 ? [`  ${toCount(facts, 'event')} not stored yet`] : []),
    `  ${NO_SCAN}`,
    ...(report.shared ? ['  The store is shared: this removes the data of EVERYONE who uses it.'] : []),
  ].join('\n');
}

interface Forgotten {
  readonly wish: ForgetRequest;
  readonly name: string;
  /** The command that stops capture of the same. */
  readonly pause: string;
}

export function renderForgotten(report: ForgetReport, { wish, name, pause }: Forgotten): string {
  const changed =
    report.lessonsChanged > 0 ? `; ${toCount(report.lessonsChanged, 'lesson')} lost part of the evidence` : '';
  return [
    `Forgotten: ${name}. Removed: ${renderCounts(report)}${changed}.`,
    `${NO_SCAN} The agents' own transcripts were not changed.`,
    `${wish.kind === 'all' ? 'Settings and hooks stay. ' : ''}New calls are captured again; to stop that: ${pause}`,
  ].join('\n');
}

export function renderForgottenBackups({ rewritten, removed }: ForgottenBackups): readonly string[] {
  return [
    ...(rewritten.length === 0 ? [] : [`Also removed from ${toCount(rewritten.length, 'automatic backup')}.`]),
    ...(removed.length === 0
      ? []
      : [`Deleted, because they could not be changed: ${removed.map((file) => basename(file)).join(', ')}.`]),
  ];
}

export function renderHolding(backups: readonly string[]): readonly string[] {
  if (backups.length === 0) return [];
  return [
    'These backups of your own may still contain the forgotten data. When you no longer need them, delete them and make a new one: oncebitten data backup',
    ...backups.map((file) => `  ${file}`),
  ];
}

function renderCounts({ sessions, calls, lessons, deliveries }: ForgetReport): string {
  const shown = `${toCount(deliveries, 'record')} of shown lessons`;
  const counts = [toCount(sessions, 'session'), toCount(calls, 'call'), toCount(lessons, 'lesson'), shown];
  return `${counts.join(', ')}, and everything recorded about their failures`;
}

/**
 * Finishes removals (`forget`, `lessons delete`) that were confirmed and then interrupted. The removals that it
 * finished. A dry run finishes none.
 */
export async function finishInterrupted(input: CommandInput): Promise<readonly ForgetRequest[]> {
  const { home, options, progress } = input;
  const unfinished = listUnfinished(home);
  if (unfinished.length === 0 || options.dryRun === true) return [];
  progress('Finishing a removal that was interrupted …');
  await withoutDaemon(home, () => withHome(input, (open) => finishForgetting({ ...open, home, progress })));
  return unfinished;
}

/** For a command that then finds nothing left to remove. */
export function toFinished(finished: readonly ForgetRequest[]): CommandResult {
  const ids = finished.flatMap((wish) => (wish.kind === 'all' ? [] : wish.kind === 'session' ? [wish.id] : wish.ids));
  return {
    json: { forgotten: true, finished },
    text: `Finished ${toCount(finished.length, 'removal')} that had been interrupted${ids.length === 0 ? '' : `: ${ids.join(', ')}`}. There was nothing else to remove.`,
  };
}

/**
 * Backups of a person's own that may contain what happened since a time: those made before it began cannot. Without a
 * time: all of them.
 */
export function listHolding(home: Pick<DataHome, 'backupsDir'>, since: string | undefined): readonly string[] {
  const sinceMs = since === undefined ? Number.NaN : Date.parse(since);
  const isBefore = ({ at }: BackupFile): boolean => Date.parse(at) < sinceMs;
  return listBackupFiles(home)
    .filter(({ kind }) => kind === 'own')
    .filter((backup) => !isBefore(backup))
    .map(({ file }) => file);
}
