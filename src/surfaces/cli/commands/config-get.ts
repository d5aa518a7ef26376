/** `oncebitten config get`: the value in force of one setting, or of a group. */
import { readCheckedSettings } from '../../../keep/read-settings.ts';
import { findSettingValue } from '../../../keep/setting-keys.ts';
import type { Handler } from '../command.ts';
import { getSettingKeys } from '../get-setting-key.ts';
import { withoutPassword } from '../shown-setting.ts';

export const run: Handler = async ({ home, env, arguments: [name = ''] }) => {
  getSettingKeys(name);
  const { settings } = readCheckedSettings(home.configFile, env);
  const value = withoutPassword(findSettingValue(settings, name.split('.')));
  return { json: value, text: typeof value === 'string' ? value : JSON.stringify(value) };
};
