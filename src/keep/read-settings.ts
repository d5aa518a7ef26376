/** Settings: the file, with environment variables over it and defaults under it. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../base/errors.ts';
import type { Settings } from '../base/settings.ts';
import { type CheckedSettings, checkSettings, type Environment } from './check-settings.ts';
import { SettingsError } from './settings-error.ts';
import { toPrivateFolders } from './to-private-folders.ts';

export function readSettings(file: string, env: Environment): Settings {
  const { settings } = readCheckedSettings(file, env);
  return { ...settings, privateProjects: toPrivateFolders(settings.privateProjects) };
}

/** The same as a person wrote them, with where each comes from. */
export function readCheckedSettings(file: string, env: Environment): CheckedSettings & { readonly settings: Settings } {
  const { settings, ...checked } = checkSettings(readSettingsText(file), env);
  const [first, ...others] = checked.problems;
  if (first !== undefined) throw new SettingsError(file, [first, ...others]);
  if (settings === undefined)
    throw new UserError({ subject: file, reason: 'the settings are not valid', next: 'check it: oncebitten doctor' });
  return { ...checked, settings };
}

/** Empty where there is no file. */
function readSettingsText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    if (code === 'ENOTDIR') {
      const next = 'name a folder: --home <folder>, or ONCEBITTEN_HOME';
      throw new UserError({ subject: dirname(file), reason: 'is a file, not a folder', next, cause: error });
    }
    throw new UserError({ subject: file, reason: 'cannot be read', next: 'check its permissions', cause: error });
  }
}
