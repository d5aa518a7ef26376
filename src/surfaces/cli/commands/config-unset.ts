/** `oncebitten config unset`: takes a setting, a group, or a key that is no setting out of the file. */
import { unsetInSettings } from '../../../keep/unset-in-settings.ts';
import { applyConfig } from '../apply-config.ts';
import { changeConfig } from '../change-config.ts';
import type { Handler } from '../command.ts';
import { getSettingKeys } from '../get-setting-key.ts';
import { renderLeft } from '../render-left.ts';

export const run: Handler = async (input) => {
  const [name = ''] = input.arguments;
  const file = input.home.configFile;
  const change = changeConfig(input.home, {
    change: (text) => {
      const edited = text === undefined ? undefined : unsetInSettings(text, name.split('.'));
      // What is in the file may go, whatever it is called.
      if (edited === undefined) getSettingKeys(name);
      return edited;
    },
  });
  const left = renderLeft(change.problems);
  if (!change.changed) return { json: { key: name, file, changed: false, left }, text: `${name} is not in ${file}.` };
  const { by, text } = await applyConfig(input, [name]);
  return {
    json: { key: name, file, changed: true, by, left },
    text: [`${name} is out of ${file}.`, text, ...left].join('\n'),
  };
};
