/**
 * Reads the settings (environment variables override the file, the file overrides defaults) and reads them again when
 * the file changes. An unreadable file changes nothing: the last good settings stay in force. A file that may not be
 * the user's own may not load code or name places, because a project can redirect `ONCEBITTEN_HOME` or `HOME`.
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

/** The same as a person wrote them, with where each comes from. */
export function readCheckedSettings(file: string, env: Environment): CheckedSettings & { readonly settings: Settings } {
  const { settings, ...checked } = checkSettings(readSettingsText(file), env, { distrust: findDistrust(file) });
  const [first, ...others] = checked.problems;
  if (first !== undefined) throw new SettingsError(file, [first, ...others]);
  if (settings === undefined)
    throw new UserError({ subject: file, reason: 'the settings are not valid', next: 'check it: oncebitten doctor' });
  return { ...checked, settings };
}

interface Account {
  /** The home folder by the system's list of users. Undefined where this user is not in it. */
  readonly home?: string;
  /** Undefined on Windows. */
  readonly uid?: number;
}

const VERSION_CONTROL = ['.git', '.hg', '.svn', '.jj'];

/**
 * Why a settings file may not be the user's own, so that it may neither load code nor name places. Undefined for one that
 * may. A project can lead us to a file of its own with `ONCEBITTEN_HOME` or `HOME`, also through symbolic links. The
 * default data directory of the account is always the user's, also for people who keep their home folder in git.
 * Elsewhere the file must be as `config set` writes it: files that come with a project are readable by others.
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
    return `is in a folder that others can write to (mend it: chmod go-w ${folder})`;
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

/** It is asked while an agent waits: it never throws. */
export interface SettingsFinder {
  /** Undefined while there never were any that could be read. The same object as long as the file is the same. */
  (): Settings | undefined;
  /** As of the last call: why the file as it is now does not count. */
  findFault(): UserError | undefined;
  /** As of the last call: a person wrote something about private folders that we cannot follow. */
  isPrivacyUnclear(): boolean;
}

/**
 * The settings as they are now: read again when their file is another one. A file that cannot be read changes nothing:
 * the last good settings hold, and whoever asks is told what is wrong with it.
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

/** A slip in the name leaves open what its writer believes is private, as one in an entry does. */
function isAboutPrivacy(fault: UserError | undefined): boolean {
  if (!(fault instanceof SettingsError)) return false;
  return fault.problems.some(({ key, nearest }) => key === 'privateProjects' || nearest === 'privateProjects');
}
