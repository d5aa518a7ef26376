/** Settings: the file, with environment variables over it and defaults under it. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
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
  const { settings, ...checked } = checkSettings(readSettingsText(file), env, { isForeign: isForeign(file) });
  const [first, ...others] = checked.problems;
  if (first !== undefined) throw new SettingsError(file, [first, ...others]);
  if (settings === undefined)
    throw new UserError({ subject: file, reason: 'the settings are not valid', next: 'check it: oncebitten doctor' });
  return { ...checked, settings };
}

/**
 * A settings file inside a repository may have come with it: `ONCEBITTEN_HOME`, which a project can set, is enough to
 * make us read it. The default data directory is the user's own, also for people who keep their home folder in git.
 */
function isForeign(file: string): boolean {
  const folder = dirname(resolve(file));
  if (folder === join(homedir(), '.oncebitten')) return false;
  for (let dir = folder; ; dir = dirname(dir)) {
    if (existsSync(join(dir, '.git'))) return true;
    if (dir === dirname(dir)) return false;
  }
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
