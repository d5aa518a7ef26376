/** The store and settings of a data directory, for commands that read or change them. */
import { existsSync } from 'node:fs';
import type { Store } from '../../base/contracts/store.ts';
import type { Settings } from '../../base/model/settings.ts';
import { readSettings } from '../../keep/settings/read-settings.ts';
import { openStore } from '../../keep/store/open-store.ts';
import { IN_MEMORY } from '../../keep/store/store-address.ts';
import { openLog } from '../daemon/faults.ts';
import type { CommandInput } from './command.ts';

export interface OpenHome {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  readonly switchesFile: string;
  readonly awayDir: string;
  readonly log: (line: string) => void;
}

type HomeInput = Pick<CommandInput, 'home' | 'env'>;
type Use<T> = (open: OpenHome) => Promise<T>;

/** Makes the store where there is none. Closes it whatever happens. */
export function withHome<T>(input: HomeInput, use: Use<T>): Promise<T> {
  return openHome(input, use, () => true);
}

/** The same for read-only commands: creates neither a store nor a folder. */
export function readHome<T>(input: HomeInput, use: Use<T>): Promise<T> {
  return openHome(input, use, existsSync);
}

async function openHome<T>(input: HomeInput, use: Use<T>, isWanted: (storeFile: string) => boolean): Promise<T> {
  const { manifestFile, switchesFile, awayDir, storeFile } = input.home;
  const settings = readSettings(input.home.configFile, input.env);
  const { url } = settings.store;
  const isKept = url !== '' || isWanted(storeFile);
  const store = await openStore({ url, file: isKept ? storeFile : IN_MEMORY });
  try {
    const log = openLog(input.home.logFile);
    return await use({ store, settings, manifestFile, switchesFile, awayDir, log });
  } finally {
    await store.close();
  }
}
