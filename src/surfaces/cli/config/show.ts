/**
 * `oncebitten config list`, `get`, `explain` and `path`: show settings with their value, default and origin, and the
 * path of the settings file.
 */

import { existsSync } from 'node:fs';
import { readCheckedSettings } from '../../../keep/settings/read-settings.ts';
import {
  findFileOnlyReason,
  findSettingValue,
  SETTING_KEYS,
  type SettingKey,
} from '../../../keep/settings/setting-keys.ts';
import { describeSetting } from '../../../keep/settings/settings-schema.ts';
import type { Handler } from '../command.ts';
import { toWholePage } from '../paging.ts';
import { renderTable } from '../table.ts';
import {
  getSettingKeys,
  renderIgnored,
  renderOrigin,
  renderValue,
  type ShownSetting,
  toShownSetting,
  withoutPassword,
} from './setting.ts';

export const runList: Handler = async ({ home, env, options, columns }) => {
  const checked = readCheckedSettings(home.configFile, env);
  const all = SETTING_KEYS.map((key) => toShownSetting(key, checked, home.configFile));
  const shown =
    options.changed === true ? all.filter(({ origin, ignored }) => origin.kind !== 'default' || ignored) : all;
  if (shown.length === 0)
    return { json: toWholePage(shown), text: 'Every setting has its default. See them: oncebitten config list' };
  const rows = shown.map((one) => [one.key, renderValue(one.value), renderOrigin(one), renderDefault(one)]);
  // Of a long value the beginning: `config get` has the rest.
  const table = renderTable(['SETTING', 'VALUE', 'FROM', 'DEFAULT'], rows, { columns, texts: [1, 3] });
  const ignored = checked.ignored.map((one) => `${renderIgnored(one)}.`);
  return {
    json: toWholePage(shown),
    text: ignored.length === 0 ? table : `${table.trimEnd()}\n\n${ignored.join('\n')}`,
  };
};

function renderDefault({ origin, default: fallback }: ReturnType<typeof toShownSetting>): string {
  return origin.kind === 'default' ? '' : renderValue(fallback);
}

/** `oncebitten config get`: the value in force of one setting, or of a group. */
export const runGet: Handler = async ({ home, env, arguments: [name = ''] }) => {
  getSettingKeys(name);
  const { settings } = readCheckedSettings(home.configFile, env);
  const value = withoutPassword(findSettingValue(settings, name.split('.')));
  return { json: value, text: typeof value === 'string' ? value : JSON.stringify(value) };
};

/** `oncebitten config explain`: all about one setting, or about those of a group. */
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
  const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  return {
    json: { ...shown, help, type, ...bounds, variables: key.variables },
    text: [
      `${key.name}: ${help}`,
      `  may be       ${type}`,
      `  is           ${renderValue(shown.value)}  (${renderOrigin(shown)})`,
      `  default      ${renderValue(key.fallback)}`,
      `  environment  ${findFileOnlyReason(key.name) ?? key.variables.join(', ')}`,
      ...(shown.ignored ?? []).map((one) => `  ${renderIgnored(one)}`),
    ].join('\n'),
  };
}

/** `oncebitten config path`: where the settings file is, or would be. */
export const runPath: Handler = async ({ home }) => {
  const exists = existsSync(home.configFile);
  return { json: { file: home.configFile, schema: home.configSchemaFile, exists }, text: home.configFile };
};
