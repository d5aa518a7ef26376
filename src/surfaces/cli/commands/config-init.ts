/** `oncebitten config init`: a settings file in which every key stands as a comment. What is set in one that is there stays. */
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../base/errors.ts';
import { addSettingComments } from '../../../keep/add-setting-comments.ts';
import { findFileValue } from '../../../keep/parse-settings-tree.ts';
import { renderSettingsFile } from '../../../keep/render-settings-file.ts';
import { SETTING_KEYS } from '../../../keep/setting-keys.ts';
import { applyConfig } from '../apply-config.ts';
import { changeConfig, SCHEMA_REFERENCE } from '../change-config.ts';
import type { Handler } from '../command.ts';
import { toCount } from '../to-count.ts';

export const run: Handler = async (input) => {
  const file = input.home.configFile;
  let made = true;
  let added: readonly string[] = [];
  changeConfig(input.home, {
    change: (text) => {
      made = text === undefined;
      if (text === undefined) return renderSettingsFile(SCHEMA_REFERENCE);
      const commented = addSettingComments(text, SCHEMA_REFERENCE);
      checkUntouched(file, text, commented.text);
      added = commented.added;
      return commented.text;
    },
  });
  // Hooks look whether the lessons were compiled after the file was written.
  await applyConfig(input, []);
  const json = { file, schema: input.home.configSchemaFile, made, added };
  return { json, text: `${renderDone(file, made, added.length)} Take the slashes away to change one.` };
};

function renderDone(file: string, made: boolean, added: number): string {
  if (made) return `Wrote ${file}: every setting is in it as a comment.`;
  if (added === 0) return `${file} is there already, and every setting is in it: nothing was changed.`;
  return `${file} is there already: what is set in it stays, and ${toCount(added, 'setting')} that it lacked are in it as comments.`;
}

/** Comments change no value; if they would, the file is one that we do not understand. */
function checkUntouched(file: string, before: string, after: string): void {
  const isSame = ({ path }: { readonly path: readonly string[] }): boolean =>
    isDeepStrictEqual(findFileValue(before, path), findFileValue(after, path));
  if (SETTING_KEYS.every(isSame)) return;
  const next = 'change it in your editor, or with: oncebitten config set <key> <value>';
  throw new UserError({ subject: file, reason: 'is there already, and no comments can be added to it', next });
}
