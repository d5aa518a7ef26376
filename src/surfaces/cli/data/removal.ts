/**
 * The way of the commands that remove data for good (`data forget`, `lessons delete`): finish a removal that was
 * interrupted, show what would go, ask, remove it while the daemon is stopped, and name the user's own backups that may
 * still contain it.
 */

import { basename } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { ForgetReport, ForgetRequest } from '../../../base/storage/forgotten.ts';
import { type BackupFile, listBackupFiles } from '../../../keep/backup/backup-files.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import {
  type ForgottenBackups,
  finishForgetting,
  forgetData,
  listUnfinished,
} from '../../../loop/privacy/forget-data.ts';
import { withoutDaemon } from '../../daemon/control-daemon.ts';
import { isConfirmed } from '../arguments/options.ts';
import type { CommandInput, CommandResult } from '../command.ts';
import { withHome } from '../open-home.ts';
import { toCount } from '../text.ts';

export interface Removal {
  readonly wish: ForgetRequest;
  /** What would go: the answer of a dry run. */
  readonly preview: CommandResult;
  /** What `--json` prints if the user says no. */
  readonly refused: object;
  /** When the data begins; undefined if unknown. */
  readonly since: string | undefined;
  /** Runs after the user has said yes. */
  readonly begin?: () => void;
  /** What went, for a program and for a person. */
  readonly end: (report: ForgetReport) => { readonly json: object; readonly lines: readonly string[] };
}

interface RemovalCommand {
  readonly command: string;
  /** What the command removes. */
  readonly what: string;
  /** An interrupted removal that the command may have meant. */
  readonly isMeant: (finished: ForgetRequest) => boolean;
  readonly look: () => Promise<Removal>;
}

export async function runRemoval(input: CommandInput, removal: RemovalCommand): Promise<CommandResult> {
  const { home, progress } = input;
  const { command, what } = removal;
  const finished = await finishInterrupted(input);
  const found = await removal.look().catch((error: unknown) => {
    // What was finished just now is no longer found.
    if (finished.some(removal.isMeant) && error instanceof UserError) return undefined;
    throw error;
  });
  if (found === undefined) return toFinished(finished);
  const { wish, preview } = found;
  if (input.options.dryRun === true) return preview;
  const question = `${preview.text}\nThis cannot be undone. Type yes to remove it`;
  const reason = `removes ${what} for good, and there is no terminal to ask for confirmation`;
  if (!(await isConfirmed(input, { question, command, reason })))
    return { json: found.refused, text: 'Nothing was removed.', failed: true };
  found.begin?.();
  progress('Removing …');
  const { done, trouble } = await withoutDaemon(home, () =>
    withHome(input, (open) => forgetData({ ...open, home, progress }, wish, new Date().toISOString())),
  );
  const backups = listHolding(home, found.since);
  const { json, lines } = found.end(done.report);
  return {
    json: { ...json, automaticBackups: done.backups, backups },
    text: [
      ...lines,
      ...renderForgottenBackups(done.backups),
      ...renderHolding(backups),
      ...(trouble === undefined ? [] : [`The daemon did not start again: ${trouble}`]),
    ].join('\n'),
  };
}

function renderForgottenBackups({ rewritten, removed }: ForgottenBackups): readonly string[] {
  return [
    ...(rewritten.length === 0 ? [] : [`Also removed from ${toCount(rewritten.length, 'automatic backup')}.`]),
    ...(removed.length === 0
      ? []
      : [`Deleted, because they could not be changed: ${removed.map((file) => basename(file)).join(', ')}.`]),
  ];
}

function renderHolding(backups: readonly string[]): readonly string[] {
  if (backups.length === 0) return [];
  return [
    'These backups of your own may still contain the forgotten data. When you no longer need them, delete them and make a new one: oncebitten data backup',
    ...backups.map((file) => `  ${file}`),
  ];
}

/** Finishes removals that were confirmed and then interrupted, and returns them. A dry run finishes none. */
async function finishInterrupted(input: CommandInput): Promise<readonly ForgetRequest[]> {
  const { home, options, progress } = input;
  const unfinished = listUnfinished(home);
  if (unfinished.length === 0 || options.dryRun === true) return [];
  progress('Finishing a removal that was interrupted …');
  await withoutDaemon(home, () => withHome(input, (open) => finishForgetting({ ...open, home, progress })));
  return unfinished;
}

/** For a command that then finds nothing left to remove. */
function toFinished(finished: readonly ForgetRequest[]): CommandResult {
  const ids = finished.flatMap((wish) => (wish.kind === 'all' ? [] : wish.kind === 'session' ? [wish.id] : wish.ids));
  return {
    json: { forgotten: true, finished },
    text: `Finished ${toCount(finished.length, 'removal')} that had been interrupted${ids.length === 0 ? '' : `: ${ids.join(', ')}`}. There was nothing else to remove.`,
  };
}

/**
 * The user's own backups that may contain the data: one made before the data began cannot. They are named, not removed,
 * because one may be the only copy of something else.
 */
function listHolding(home: DataHome, since: string | undefined): readonly string[] {
  const sinceMs = since === undefined ? Number.NaN : Date.parse(since);
  const isBefore = ({ at }: BackupFile): boolean => Date.parse(at) < sinceMs;
  return listBackupFiles(home)
    .filter(({ kind }) => kind === 'own')
    .filter((backup) => !isBefore(backup))
    .map(({ file }) => file);
}
