/** `oncebitten config list`: every setting with its value, its default and where the value comes from. */
import { readCheckedSettings } from '../../../keep/read-settings.ts';
import { SETTING_KEYS } from '../../../keep/setting-keys.ts';
import type { Handler } from '../command.ts';
import { toWholePage } from '../page.ts';
import { renderTable } from '../render-table.ts';
import { renderIgnored, renderOrigin, renderValue, toShownSetting } from '../shown-setting.ts';

export const run: Handler = async ({ home, env, options, columns }) => {
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
