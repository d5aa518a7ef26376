/**
 * A text that changes when the data of a home does, whichever process changed it. For SQLite it comes from the times and
 * sizes of the files, because counting the rows of a large store takes longer than many answers.
 */

import { statSync } from 'node:fs';
import type { Store } from '../../base/contracts/store.ts';
import { readSettings } from '../../keep/settings/read-settings.ts';
import { readHome } from '../cli/open-home.ts';
import type { ApiHome } from './run-command.ts';

export type ReadStamp = () => Promise<string>;

export function makeReadStamp({ home, env }: Pick<ApiHome, 'home' | 'env'>): ReadStamp {
  const { storeFile, switchesFile, configFile } = home;
  return async () => {
    const files = [storeFile, `${storeFile}-wal`, switchesFile, configFile].map(toFileStamp).join(' ');
    const isFile = readSettings(configFile, env).store.url === '';
    return isFile ? files : `${files} ${await readHome({ home, env }, ({ store }) => readRowStamp(store))}`;
  };
}

function toFileStamp(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.mtimeMs}:${found.size}`;
}

/** New calls, changed lessons, new deliveries in a store that has no file here. */
async function readRowStamp(store: Store): Promise<string> {
  const { calls, deliveries, sessions } = await store.countAll();
  return [await store.readLessonStamp(), calls, deliveries, sessions].join(' ');
}
