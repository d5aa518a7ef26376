/**
 * Finds a setting or a group of settings by name, and shows a setting with its value, its default and the origin of the
 * value. A password in a value is never shown.
 */

import type { UserError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/records.ts';
import type { CheckedSettings, IgnoredSetting, SettingOrigin } from '../../../keep/settings/check-settings.ts';
import {
  findNearestKey,
  findSettingKey,
  findSettingValue,
  isSettingGroup,
  SETTING_KEYS,
  type SettingKey,
} from '../../../keep/settings/setting-keys.ts';
import { toShownUrl } from '../../../keep/store/store-address.ts';
import { userError } from '../errors.ts';

export interface ShownSetting {
  readonly key: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly origin: SettingOrigin & { readonly file?: string };
  /** Values that were given for it and have no effect, with the reason. */
  readonly ignored?: readonly IgnoredSetting[];
}

export function toShownSetting(
  { name, path, fallback }: SettingKey,
  { settings, origins, ignored: all }: CheckedSettings,
  file: string,
): ShownSetting {
  const origin = origins.get(name) ?? { kind: 'default' as const };
  const ignored = all.filter(({ key }) => key === name || name.startsWith(`${key}.`));
  return {
    key: name,
    value: withoutPassword(findSettingValue(settings, path)),
    default: fallback,
    origin: origin.kind === 'file' ? { ...origin, file } : origin,
    ...(ignored.length === 0 ? {} : { ignored }),
  };
}

/** `ONCEBITTEN_STORE_URL is ignored: only your own settings file may …` */
export function renderIgnored({ key, variable, line, reason }: IgnoredSetting): string {
  const place = variable ?? `${key} in line ${line} of the settings file`;
  return `${place} is ignored: ${reason}`;
}

/** Any text may be an address; only one with a password in it is changed. */
export function withoutPassword(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('://') ? toShownUrl(value) : value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutPassword(one)]));
}

/** Text as it is, everything else as JSON. */
export function renderValue(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

export function renderOrigin({ origin }: ShownSetting): string {
  if (origin.kind === 'file') return `line ${origin.line} of the file`;
  return origin.kind === 'environment' ? origin.variable : 'default';
}

/** The keys of a group; one of a key. */
export function getSettingKeys(name: string): readonly [SettingKey, ...SettingKey[]] {
  const key = findSettingKey(name);
  if (key !== undefined) return [key];
  const [first, ...others] = isSettingGroup(name) ? SETTING_KEYS.filter((one) => one.name.startsWith(`${name}.`)) : [];
  if (first !== undefined) return [first, ...others];
  throw toUnknownError(name);
}

/** The setting, or the group of settings, that a command was given. */
export function getSettingKey(name: string): SettingKey {
  const [key] = getSettingKeys(name);
  if (key.name === name) return key;
  throw userError(
    `setting ${name}`,
    'is a group of settings',
    `name one of its keys, for instance ${key.name}: oncebitten config list`,
  );
}

function toUnknownError(name: string): UserError {
  const nearest = findNearestKey(name);
  return userError(
    `setting ${name}`,
    `is not known${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    'see all of them: oncebitten config list',
  );
}
