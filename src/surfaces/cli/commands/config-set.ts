/** `oncebitten config set`: changes one setting in the file; comments and everything else in it stay as they are. */
import { chmodSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../base/errors.ts';
import { checkSettings } from '../../../keep/check-settings.ts';
import { parseSetting } from '../../../keep/parse-setting.ts';
import { findFileValue } from '../../../keep/parse-settings-tree.ts';
import { findDistrust } from '../../../keep/read-settings.ts';
import { setInSettings } from '../../../keep/set-in-settings.ts';
import { findFileOnlyReason, type SettingKey } from '../../../keep/setting-keys.ts';
import { isPostgresUrl, toUrlError } from '../../../keep/store/store-url.ts';
import { applyConfig } from '../apply-config.ts';
import { changeConfig, SCHEMA_REFERENCE } from '../change-config.ts';
import type { Handler } from '../command.ts';
import { getSettingKey } from '../get-setting-key.ts';
import { renderLeft } from '../render-left.ts';
import { renderValue, withoutPassword } from '../shown-setting.ts';

const EMPTY_FILE = `{\n  "$schema": ${JSON.stringify(SCHEMA_REFERENCE)}\n}\n`;

export const run: Handler = async (input) => {
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
      ...(distrust === undefined ? [] : [`It has no effect there: the file ${distrust}.`]),
      ...(variable === undefined ? [applied] : [`Here it has no effect: the variable ${variable} wins over the file.`]),
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
    const next = `take it out first: oncebitten config unset ${name}`;
    throw new UserError({ subject: `setting ${name}`, reason: `is in ${file} twice`, next });
  }
  const edited = setInSettings(text, path, value);
  if (isDeepStrictEqual(findFileValue(edited, path), value)) return edited;
  const next = 'change it in your editor; nothing was changed';
  throw new UserError({ subject: file, reason: `${name} cannot be put into it without touching the rest`, next });
}
