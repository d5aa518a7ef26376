/** `oncebitten config list`: every setting with its value, its default and where the value comes from. */
import { readCheckedSettings } from '../../../keep/read-settings.ts';
import { SETTING_KEYS } from '../../../keep/setting-keys.ts';
import type { Handler } from '../command.ts';
import { toWholePage } from '../page.ts';
import { renderTable } from '../render-table.ts';
import { renderOrigin, renderValue, toShownSetting } from '../shown-setting.ts';

export const run: Handler = async ({ home, env, options, columns }) => {
  const checked = readCheckedSettings(home.configFile, env);
  const all = SETTING_KEYS.map((key) => toShownSetting(key, checked, home.configFile));
  const shown = options.changed === true ? all.filter(({ origin }) => origin.kind !== 'default') : all;
  if (shown.length === 0)
    return { json: toWholePage(shown), text: 'Every setting has its default. See them: oncebitten config list' };
  const rows = shown.map((one) => [one.key, renderValue(one.value), renderOrigin(one), renderDefault(one)]);
  // Of a long value the beginning: `config get` has the rest.
  const text = renderTable(['SETTING', 'VALUE', 'FROM', 'DEFAULT'], rows, { columns, texts: [1, 3] });
  return { json: toWholePage(shown), text };
};

function renderDefault({ origin, default: fallback }: ReturnType<typeof toShownSetting>): string {
  return origin.kind === 'default' ? '' : renderValue(fallback);
}
