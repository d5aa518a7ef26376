/** The setting, or the group of settings, that a command was given. */
import { UserError } from '../../base/errors.ts';
import { findNearestKey } from '../../keep/find-nearest-key.ts';
import { findSettingKey, isSettingGroup, SETTING_KEYS, type SettingKey } from '../../keep/setting-keys.ts';

/** The keys of a group; one of a key. */
export function getSettingKeys(name: string): readonly [SettingKey, ...SettingKey[]] {
  const key = findSettingKey(name);
  if (key !== undefined) return [key];
  const [first, ...others] = isSettingGroup(name) ? SETTING_KEYS.filter((one) => one.name.startsWith(`${name}.`)) : [];
  if (first !== undefined) return [first, ...others];
  throw toUnknownError(name);
}

export function getSettingKey(name: string): SettingKey {
  const [key] = getSettingKeys(name);
  if (key.name === name) return key;
  throw new UserError({
    subject: `setting ${name}`,
    reason: 'is a group of settings',
    next: `name one of its keys, for instance ${key.name}: oncebitten config list`,
  });
}

export function toUnknownError(name: string): UserError {
  const nearest = findNearestKey(name);
  return new UserError({
    subject: `setting ${name}`,
    reason: `is not known${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    next: 'see all of them: oncebitten config list',
  });
}
