/** What is in the store now, for whoever is about to replace it. */
import { existsSync } from 'node:fs';
import type { RowCounts } from '../../base/backup.ts';
import type { Forgotten } from '../../base/forgotten.ts';
import { type CheckedBackup, toForgottenKey } from '../../keep/backup/check-backup.ts';
import { readSettings } from '../../keep/read-settings.ts';
import { askDaemon } from '../daemon/ask-daemon.ts';
import { isDamaged } from '../daemon/restore-data.ts';
import type { CommandInput } from './command.ts';
import { readHome } from './open-home.ts';

export interface Present {
  /** Undefined when it cannot be read. */
  readonly rows?: RowCounts;
  /** Somebody's wish that is younger than the backup: what was forgotten then comes back. */
  readonly forgotten: number;
  readonly shared: boolean;
}

export async function readPresent(input: CommandInput, { header, forgotten: known }: CheckedBackup): Promise<Present> {
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
