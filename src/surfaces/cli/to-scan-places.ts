/** Whose sessions, and where: what `--agent` and `--path` say. Refuses what cannot be meant before anything is opened. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { ScanPlaces } from '../scan/list-scan-files.ts';
import type { CommandInput } from './command.ts';
import { getHistory } from './get-history.ts';
import { UsageError } from './usage-error.ts';

export function toScanPlaces({ options, cwd, env }: Pick<CommandInput, 'options' | 'cwd' | 'env'>): ScanPlaces {
  const { agent, path: given } = options as { agent?: readonly string[]; path?: string };
  const ids = agent?.flatMap((list) => list.split(',').map((id) => id.trim())).filter((id) => id !== '');
  for (const id of ids ?? []) getHistory(id);
  if (ids?.length === 0) getHistory('');
  if (given === '')
    throw new UsageError({ subject: '--path', reason: 'is empty', next: 'give a transcript or a folder' });
  const path = given === undefined ? undefined : resolve(cwd, given);
  if (path !== undefined && !existsSync(path)) {
    const next = 'give a transcript or a folder of transcripts';
    throw new UserError({ subject: path, reason: 'does not exist', next });
  }
  return { agent: ids, path, home: homedir(), env };
}
