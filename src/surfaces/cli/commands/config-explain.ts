/** `oncebitten config explain`: all about one setting, or about those of a group. */
import { describeSetting } from '../../../keep/describe-setting.ts';
import { readCheckedSettings } from '../../../keep/read-settings.ts';
import { findFileOnlyReason, type SettingKey } from '../../../keep/setting-keys.ts';
import type { Handler } from '../command.ts';
import { getSettingKeys } from '../get-setting-key.ts';
import { toWholePage } from '../page.ts';
import { renderIgnored, renderOrigin, renderValue, type ShownSetting, toShownSetting } from '../shown-setting.ts';

export const run: Handler = async ({ home, env, arguments: [name = ''] }) => {
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
