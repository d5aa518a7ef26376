/** The store and settings of a data directory, for commands that read or change them. */
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { readSettings } from '../../keep/read-settings.ts';
import { openStore } from '../../keep/store/open-store.ts';
import { openLog } from '../daemon/open-log.ts';
import type { CommandInput } from './command.ts';

export interface OpenHome {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  readonly switchesFile: string;
  readonly awayDir: string;
  readonly log: (line: string) => void;
}

/** Closes the store whatever happens. */
export async function withHome<T>(
  input: Pick<CommandInput, 'home' | 'env'>,
  use: (open: OpenHome) => Promise<T>,
): Promise<T> {
  const settings = readSettings(input.home.configFile, input.env);
  const store = await openStore({ url: settings.store.url, file: input.home.storeFile });
  try {
    const { manifestFile, switchesFile, awayDir } = input.home;
    return await use({ store, settings, manifestFile, switchesFile, awayDir, log: openLog(input.home.logFile) });
  } finally {
    await store.close();
  }
}
