/**
 * Reads the settings (environment variables override the file, the file overrides defaults) and reads them again when
 * the file changes.
 */

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { Settings } from '../../base/model/settings.ts';
import { type CheckedSettings, checkSettings, type Environment, toPrivateFolders } from './check-settings.ts';
import { SettingsError } from './settings-error.ts';

export function readSettings(file: string, env: Environment): Settings {
  const { settings } = readCheckedSettings(file, env);
  return { ...settings, privateProjects: toPrivateFolders(settings.privateProjects) };
}

/** The settings as written, with the origin of each. */
export function readCheckedSettings(file: string, env: Environment): CheckedSettings & { readonly settings: Settings } {
  const { settings, ...checked } = checkSettings(readSettingsText(file), env, { distrust: findDistrust(file) });
  const [first, ...others] = checked.problems;
  if (first !== undefined) throw new SettingsError(file, [first, ...others]);
  if (settings === undefined)
    throw new UserError({ subject: file, reason: 'the settings are not valid', next: 'check it: oncebitten doctor' });
  return { ...checked, settings };
}

interface Account {
  /** The home folder from the system's list of users. Undefined if the user is not in it. */
  readonly home?: string;
  /** Undefined on Windows. */
  readonly uid?: number;
}

const VERSION_CONTROL = ['.git', '.hg', '.svn', '.jj'];

/**
 * Why a settings file may not be the user's own, so that it may neither load code nor name places; undefined if it is
 * trusted. A project can redirect us to its own file with `ONCEBITTEN_HOME` or `HOME`, also through symbolic links. The
 * account's default data directory is always trusted, also for people who keep their home folder in git. Elsewhere the
 * file must have the mode that `config set` writes, because files of a project are readable by others.
 */
export function findDistrust(file: string, { home, uid }: Account = findAccount()): string | undefined {
  const folder = toRealPath(dirname(resolve(file)));
  if (home !== undefined && folder === toRealPath(join(home, '.oncebitten'))) return undefined;
  const real = toRealPath(resolve(file));
  for (const place of [folder, dirname(real)])
    for (let dir = place; ; dir = dirname(dir)) {
      if (VERSION_CONTROL.some((name) => existsSync(join(dir, name)))) return 'is inside a repository';
      if (dir === dirname(dir)) break;
    }
  if (uid === undefined) return undefined;
  const [ofFile, ...ofFolders] = [real, folder, dirname(real)].map((path) => statSync(path, { throwIfNoEntry: false }));
  if ([ofFile, ...ofFolders].some((stat) => stat !== undefined && stat.uid !== uid)) return 'belongs to another user';
  if (ofFolders.some((stat) => stat !== undefined && (stat.mode & 0o022) !== 0))
    return `is in a folder that others can write to (to fix it: chmod go-w ${folder})`;
  if (ofFile !== undefined && (ofFile.mode & 0o077) !== 0)
    return `can be read by others (if you wrote it: chmod 600 ${file})`;
  return undefined;
}

/** Not `$HOME`, which a project can set. */
function findAccount(): Account {
  const uid = process.getuid?.();
  try {
    return { home: userInfo().homedir, ...(uid === undefined ? {} : { uid }) };
  } catch {
    return uid === undefined ? {} : { uid };
  }
}

function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Empty if there is no file. */
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

/** Never throws, because it is called while an agent waits. */
export interface SettingsFinder {
  /** Undefined until settings could be read once. The same object as long as the file is unchanged. */
  (): Settings | undefined;
  /** Why the current file is not in force, as of the last call. */
  findFault(): UserError | undefined;
  /** A person's entry about private folders cannot be resolved, as of the last call. */
  isPrivacyUnclear(): boolean;
}

/**
 * The current settings, read again when their file changes. If the file cannot be read, the last good settings stay in
 * force, and `findFault` returns the reason.
 */
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

/** A typo in the key, as in an entry, leaves open what its author wants to keep private. */
function isAboutPrivacy(fault: UserError | undefined): boolean {
  if (!(fault instanceof SettingsError)) return false;
  return fault.problems.some(({ key, nearest }) => key === 'privateProjects' || nearest === 'privateProjects');
}
