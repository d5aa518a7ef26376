/**
 * `oncebitten config list`, `get`, `explain` and `path`: show settings with their value, default and origin, and the
 * path of the settings file. A setting or a group of settings is found by its name. A password in a value is never
 * shown.
 */

import { existsSync } from 'node:fs';
import type { UserError } from '../../../base/errors.ts';
import { dropAbsent, isRecord } from '../../../base/records.ts';
import type { CheckedSettings, IgnoredSetting, SettingOrigin } from '../../../keep/settings/check-settings.ts';
import { readCheckedSettings } from '../../../keep/settings/read-settings.ts';
import {
  findFileOnlyReason,
  findNearestKey,
  findSettingKey,
  findSettingValue,
  isSettingGroup,
  SETTING_KEYS,
  type SettingKey,
} from '../../../keep/settings/setting-keys.ts';
import { describeSetting } from '../../../keep/settings/settings-schema.ts';
import { toShownUrl } from '../../../keep/store/store-address.ts';
import type { Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { toWholePage } from '../paging.ts';
import { renderTable } from '../table.ts';

export const runList: Handler = async ({ home, env, options, columns }) => {
  const checked = readCheckedSettings(home.configFile, env);
  const all = SETTING_KEYS.map((key) => toShownSetting(key, checked, home.configFile));
  const shown =
    options.changed === true ? all.filter(({ origin, ignored }) => origin.kind !== 'default' || ignored) : all;
  if (shown.length === 0)
    return { json: toWholePage(shown), text: 'Every setting has its default. See them: oncebitten config list' };
  const rows = shown.map((one) => [one.key, renderValue(one.value), renderOrigin(one), renderDefault(one)]);
  // A long value is cut; `config get` prints it whole.
  const table = renderTable(['SETTING', 'VALUE', 'FROM', 'DEFAULT'], rows, { columns, texts: [1, 3] });
  const ignored = checked.ignored.map((one) => `${renderIgnored(one)}.`);
  const keys = new Map(SETTING_KEYS.map((key) => [key.name, key]));
  const explained = shown.flatMap((one) => {
    const key = keys.get(one.key);
    return key === undefined ? [] : [explain(key, one).json];
  });
  return {
    json: toWholePage(explained),
    text: ignored.length === 0 ? table : `${table.trimEnd()}\n\n${ignored.join('\n')}`,
  };
};

function renderDefault({ origin, default: fallback }: ReturnType<typeof toShownSetting>): string {
  return origin.kind === 'default' ? '' : renderValue(fallback);
}

export const runGet: Handler = async ({ home, env, arguments: [name = ''] }) => {
  getSettingKeys(name);
  const { settings } = readCheckedSettings(home.configFile, env);
  const value = withoutPassword(findSettingValue(settings, name.split('.')));
  return { json: value, text: typeof value === 'string' ? value : JSON.stringify(value) };
};

export const runExplain: Handler = async ({ home, env, arguments: [name = ''] }) => {
  const keys = getSettingKeys(name);
  const checked = readCheckedSettings(home.configFile, env);
  const all = keys.map((key) => explain(key, toShownSetting(key, checked, home.configFile)));
  const isGroup = keys[0].name !== name;
  const json = all.map((one) => one.json);
  return { json: isGroup ? toWholePage(json) : json[0], text: all.map(({ text }) => text).join('\n\n') };
};

function explain(key: SettingKey, shown: ShownSetting): { readonly json: unknown; readonly text: string } {
  const { help, type, min, max } = describeSetting(key.path);
  const fileOnly = findFileOnlyReason(key.name);
  return {
    json: { ...shown, help, type, ...dropAbsent({ min, max, fileOnly }), variables: key.variables },
    text: [
      `${key.name}: ${help}`,
      `  allowed      ${type === 'a text' ? 'any text' : type}`,
      `  value        ${renderValue(shown.value)}  (${renderOrigin(shown)})`,
      `  default      ${renderValue(key.fallback)}`,
      `  environment  ${renderVariables(key)}`,
      ...(shown.ignored ?? []).map((one) => `  ${renderIgnored(one)}`),
    ].join('\n'),
  };
}

function renderVariables({ name, variables }: SettingKey): string {
  const reason = findFileOnlyReason(name);
  return reason === undefined ? variables.join(', ') : `none. A project can set environment variables, so ${reason}.`;
}

export const runPath: Handler = async ({ home }) => {
  const exists = existsSync(home.configFile);
  return { json: { file: home.configFile, schema: home.configSchemaFile, exists }, text: home.configFile };
};

interface ShownSetting {
  readonly key: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly origin: SettingOrigin & { readonly file?: string };
  /** Values that were given for it and have no effect, with the reason. */
  readonly ignored?: readonly IgnoredSetting[];
}

function toShownSetting(
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

function renderOrigin({ origin }: ShownSetting): string {
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
