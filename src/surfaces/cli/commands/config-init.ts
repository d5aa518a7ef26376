/** `oncebitten config init`: writes a settings file in which every key stands as a comment. Never over one that is there. */
import { UserError } from '../../../base/errors.ts';
import { renderSettingsFile } from '../../../keep/render-settings-file.ts';
import { applyConfig } from '../apply-config.ts';
import { changeConfig, SCHEMA_REFERENCE } from '../change-config.ts';
import type { Handler } from '../command.ts';

export const run: Handler = async (input) => {
  const file = input.home.configFile;
  changeConfig(input.home, { change: (text) => makeFirst(file, text) });
  // Hooks look whether the lessons were compiled after the file was written.
  await applyConfig(input, []);
  const text = `Wrote ${file}: every setting is in it as a comment. Take the slashes away to change one.`;
  return { json: { file, schema: input.home.configSchemaFile }, text };
};

function makeFirst(file: string, text: string | undefined): string {
  if (text === undefined) return renderSettingsFile(SCHEMA_REFERENCE);
  const next = 'change it in your editor, or with: oncebitten config set <key> <value>';
  throw new UserError({ subject: file, reason: 'is there already and stays as it is', next });
}
