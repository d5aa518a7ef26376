/** What is in the store now, for whoever is about to replace it. */
import { existsSync } from 'node:fs';
import type { BackupHeader, RowCounts } from '../../base/backup.ts';
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

export async function readPresent(input: CommandInput, header: BackupHeader): Promise<Present> {
  const shared = readSettings(input.home.configFile, input.env).store.url !== '';
  if (!shared && !existsSync(input.home.storeFile)) return { rows: {}, forgotten: 0, shared };
  // So that the counts are right.
  await askDaemon(input.home, 'flush');
  try {
    return await readHome(input, async ({ store }) => {
      const forgotten = (await store.listForgotten()).filter((one) => one.at > header.at).length;
      return { rows: await store.countRows(), forgotten, shared };
    });
  } catch (error) {
    if (!shared && isDamaged(error)) return { forgotten: 0, shared };
    throw error;
  }
}
