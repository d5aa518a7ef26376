/**
 * `oncebitten config set`, `unset` and `init`: change the settings file; comments and everything else in it stay as
 * they are. `unset` also removes keys that are not settings. `init` adds every missing key as a comment and keeps the
 * values that are set.
 */

import { chmodSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { checkSettings } from '../../../keep/settings/check-settings.ts';
import { addSettingComments, renderSettingsFile } from '../../../keep/settings/commented-settings.ts';
import { setInSettings, unsetInSettings } from '../../../keep/settings/edit-settings.ts';
import { findDistrust } from '../../../keep/settings/read-settings.ts';
import { findFileOnlyReason, SETTING_KEYS, type SettingKey } from '../../../keep/settings/setting-keys.ts';
import { renderPlaced, type SettingsProblem } from '../../../keep/settings/settings-error.ts';
import { parseSetting } from '../../../keep/settings/settings-schema.ts';
import { findFileValue } from '../../../keep/settings/settings-tree.ts';
import { isPostgresUrl, toUrlError } from '../../../keep/store/store-address.ts';
import type { Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { toCount } from '../text.ts';
import { getSettingKey, getSettingKeys, renderValue, withoutPassword } from './setting.ts';
import { applyConfig, changeConfig, SCHEMA_REFERENCE } from './settings-file.ts';

const EMPTY_FILE = `{\n  "$schema": ${JSON.stringify(SCHEMA_REFERENCE)}\n}\n`;

export const runSet: Handler = async (input) => {
  const [name = '', typed = ''] = input.arguments;
  const key = getSettingKey(name);
  const value = parseSetting(key.path, typed);
  if (name === 'store.url' && typeof value === 'string' && value !== '' && !isPostgresUrl(value))
    throw toUrlError(value);
  const { home, env } = input;
  const change = changeConfig(home, { name, change: (text) => set(home.configFile, text ?? EMPTY_FILE, key, value) });
  const distrust = findFileOnlyReason(name) === undefined ? undefined : makeOwn(home.configFile);
  const { by, text: applied } = await applyConfig(input, [name]);
  const shown = withoutPassword(value);
  const variable = key.variables.find((one) => env[one] !== undefined);
  const { file, left } = { file: home.configFile, left: renderLeft(change.problems) };
  return {
    json: { key: name, value: shown, file, changed: change.changed, by, overriddenBy: variable, distrust, left },
    text: [
      `${name} is ${change.changed ? 'now' : 'already'} ${renderValue(shown)} in ${file}.`,
      ...(distrust === undefined ? [] : [`It has no effect there, because the file ${distrust}.`]),
      ...(variable === undefined
        ? [applied]
        : [`It has no effect here, because the variable ${variable} overrides the file.`]),
      ...left,
    ].join('\n'),
  };
};

/** Only a file that nobody else can read may name code or places. Gives why it still may not. */
function makeOwn(file: string): string | undefined {
  if (statSync(file).uid === process.getuid?.()) chmodSync(file, 0o600);
  return findDistrust(file);
}

function set(file: string, text: string, { name, path }: SettingKey, value: unknown): string {
  const isTwice = checkSettings(text, {}).problems.some(({ kind, key }) => kind === 'twice' && key === name);
  if (isTwice) {
    const next = `remove it first: oncebitten config unset ${name}`;
    throw userError(`setting ${name}`, `is in ${file} twice`, next);
  }
  const edited = setInSettings(text, path, value);
  if (isDeepStrictEqual(findFileValue(edited, path), value)) return edited;
  const next = 'change it in your editor; nothing was changed';
  throw userError(file, `${name} cannot be set in it without changing other lines`, next);
}

/** `oncebitten config unset`: takes a setting, a group, or a key that is no setting out of the file. */
export const runUnset: Handler = async (input) => {
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
    text: [`Removed ${name} from ${file}.`, text, ...left].join('\n'),
  };
};

/** `oncebitten config init`: a settings file in which every key stands as a comment. What is set in one that is there stays. */
export const runInit: Handler = async (input) => {
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
  return { json, text: `${renderDone(file, made, added.length)} To change one, remove its slashes.` };
};

function renderDone(file: string, made: boolean, added: number): string {
  if (made) return `Wrote ${file} with every setting as a comment.`;
  if (added === 0) return `${file} already contains every setting; nothing was changed.`;
  return `${file} already exists. Its settings stay; ${toCount(added, 'missing setting')} added as comments.`;
}

/** Comments change no value; if they would, the file is one that we do not understand. */
function checkUntouched(file: string, before: string, after: string): void {
  const isSame = ({ path }: { readonly path: readonly string[] }): boolean =>
    isDeepStrictEqual(findFileValue(before, path), findFileValue(after, path));
  if (SETTING_KEYS.every(isSame)) return;
  const next = 'change it in your editor, or with: oncebitten config set <key> <value>';
  throw userError(file, 'already exists, and no comments can be added to it', next);
}

/** What is still wrong with the settings file after a change. */
function renderLeft(problems: readonly SettingsProblem[]): readonly string[] {
  return problems.map((problem) => `Still wrong: ${renderPlaced(problem)}`);
}
