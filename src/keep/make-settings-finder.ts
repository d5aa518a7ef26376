/**
 * The settings as they are now: read again when their file is another one. A file that cannot be read changes nothing:
 * the last good settings hold, and whoever asks is told what is wrong with it.
 */
import { statSync } from 'node:fs';
import { UserError } from '../base/errors.ts';
import type { Settings } from '../base/settings.ts';
import type { Environment } from './check-settings.ts';
import { readSettings } from './read-settings.ts';
import { SettingsError } from './settings-error.ts';

/** It is asked while an agent waits: it never throws. */
export interface SettingsFinder {
  /** Undefined while there never were any that could be read. The same object as long as the file is the same. */
  (): Settings | undefined;
  /** As of the last call: why the file as it is now does not count. */
  findFault(): UserError | undefined;
  /** As of the last call: a person wrote something about private folders that we cannot follow. */
  isPrivacyUnclear(): boolean;
}

export function makeSettingsFinder(file: string, env: Environment): SettingsFinder {
  let stamp: string | undefined;
  let settings: Settings | undefined;
  let fault: UserError | undefined;
  const find = (): Settings | undefined => {
    try {
      const stat = statSync(file, { throwIfNoEntry: false });
      const now = stat === undefined ? 'absent' : `${stat.ino} ${stat.size} ${stat.ctimeMs}`;
      if (now === stamp) return settings;
      stamp = now;
      settings = readSettings(file, env);
      fault = undefined;
    } catch (cause) {
      const next = 'check its permissions';
      fault =
        cause instanceof UserError ? cause : new UserError({ subject: file, reason: 'cannot be read', next, cause });
    }
    return settings;
  };
  return Object.assign(find, { findFault: () => fault, isPrivacyUnclear: () => isAboutPrivacy(fault) });
}

/** A slip in the name leaves open what its writer believes is private, as one in an entry does. */
function isAboutPrivacy(fault: UserError | undefined): boolean {
  if (!(fault instanceof SettingsError)) return false;
  return fault.problems.some(({ key, nearest }) => key === 'privateProjects' || nearest === 'privateProjects');
}
