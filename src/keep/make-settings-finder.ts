/** The settings as they are now: read again when their file is another one. One that cannot be read changes nothing. */
import { statSync } from 'node:fs';
import { UserError } from '../base/errors.ts';
import type { Settings } from '../base/settings.ts';
import { readSettings } from './read-settings.ts';

/** It is asked while an agent waits: it never throws. */
export interface SettingsFinder {
  /** Undefined while there never were any that could be read. */
  (): Settings | undefined;
  /** As of the last call: a person wrote something about private folders that we cannot follow. */
  isPrivacyUnclear(): boolean;
}

export function makeSettingsFinder(file: string, env: Readonly<Record<string, string | undefined>>): SettingsFinder {
  let stamp: string | undefined;
  let settings: Settings | undefined;
  let isUnclear = false;
  const find = (): Settings | undefined => {
    try {
      const stat = statSync(file, { throwIfNoEntry: false });
      const now = stat === undefined ? 'absent' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
      if (now === stamp) return settings;
      stamp = now;
      settings = readSettings(file, env);
      isUnclear = false;
    } catch (error) {
      // Whoever runs a command is told what is wrong with it.
      isUnclear = error instanceof UserError && error.reason.startsWith('privateProjects');
    }
    return settings;
  };
  return Object.assign(find, { isPrivacyUnclear: () => isUnclear });
}
