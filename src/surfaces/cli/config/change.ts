/**
 * `oncebitten config set`, `unset` and `init`: change the settings file; comments and everything else in it stay as
 * they are. `unset` also removes keys that are not settings. `init` adds every missing key as a comment and keeps the
 * values that are set. One command at a time changes the file, whole or not at all, and never makes it worse than
 * before. A running daemon notices the change by itself; hooks without a daemon read the settings from the manifest.
 */

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { toReason } from '../../../base/errors.ts';
import { redact } from '../../../base/secrets/redaction.ts';
import { renderJsonSchema } from '../../../keep/schemas/schema-texts.ts';
import { checkSettings, findFileValue } from '../../../keep/settings/check-settings.ts';
import {
  addSettingComments,
  renderSettingsFile,
  setInSettings,
  unsetInSettings,
} from '../../../keep/settings/edit-settings.ts';
import { findDistrust } from '../../../keep/settings/read-settings.ts';
import { findFileOnlyReason, SETTING_KEYS, type SettingKey } from '../../../keep/settings/setting-keys.ts';
import { renderPlaced, SettingsError, type SettingsProblem } from '../../../keep/settings/settings-error.ts';
import { parseSetting, settingsSchema } from '../../../keep/settings/settings-schema.ts';
import { isPostgresUrl, toUrlError } from '../../../keep/store/store-address.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { writeFileAtomically, writeOwnFile } from '../../../loop/home/write-file.ts';
import { findDaemon } from '../../daemon/control-daemon.ts';
import { changeSettingsFile, isUnchanged, type SettingsFile, withInstallLock } from '../../install/user-file.ts';
import type { CommandInput, Handler } from '../command.ts';
import { userError } from '../errors.ts';
import { withHome } from '../open-home.ts';
import { joinLines, toCount } from '../text.ts';
import { getSettingKey, getSettingKeys, renderValue, withoutPassword } from './show.ts';

const SCHEMA_REFERENCE = './settings.schema.json';
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
  // An unchanged setting already applies, unless the daemon still has to start with it.
  const isApplied = !change.changed && by !== 'next start';
  return {
    json: { key: name, value: shown, file, changed: change.changed, by, overriddenBy: variable, distrust, left },
    text: joinLines([
      `${name} is ${change.changed ? 'now' : 'already'} ${renderValue(shown)} in ${file}.`,
      distrust !== undefined && `It has no effect there, because the file ${distrust}.`,
      ...(variable === undefined
        ? [!isApplied && applied]
        : [`It has no effect here, because the variable ${variable} overrides the file.`]),
      ...left,
    ]),
  };
};

/** Settings that load code or send data count only in a file that is the user's alone. Returns why it still is not. */
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

export const runUnset: Handler = async (input) => {
  const [name = ''] = input.arguments;
  const file = input.home.configFile;
  const change = changeConfig(input.home, {
    change: (text) => {
      const edited = text === undefined ? undefined : unsetInSettings(text, name.split('.'));
      // A key in the file may be removed, even if it is not a setting.
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

interface ConfigChange {
  readonly changed: boolean;
  /** What was wrong before and still is. */
  readonly problems: readonly SettingsProblem[];
}

/** What is done to the file. */
interface ConfigEdit {
  /** The setting it is about; absent for the file as a whole. */
  readonly name?: string;
  /** Gets the text, undefined where there is no file, and gives the new one, undefined to leave it. */
  readonly change: (text: string | undefined) => string | undefined;
}

function changeConfig(home: DataHome, edit: ConfigEdit): ConfigChange {
  // An editor may save at the same moment, and knows nothing of our lock.
  const change = () => changeSettingsFile(home.configFile, (file) => tryChange(home, file, edit));
  return withInstallLock(join(home.runDir, 'config'), change);
}

/** Undefined when the file was changed meanwhile. */
function tryChange(home: DataHome, file: SettingsFile, { name, change }: ConfigEdit): ConfigChange | undefined {
  const before = file.found && getText(home.configFile, file.found.bytes);
  const old = checkSettings(before ?? '', {}).problems;
  throwIfAny(file, (problem) => problem.kind === 'syntax', old);
  const after = change(before);
  if (after === undefined) return { changed: false, problems: old };
  const { problems } = checkSettings(after, {});
  throwIfAbout(name, problems);
  throwIfAny(file, (one) => !old.some((known) => known.key === one.key && known.text === one.text), problems);
  if (after === before) return { changed: false, problems };
  if (!write(file, Buffer.from(after))) return undefined;
  keepSchema(home);
  return { changed: true, problems };
}

function getText(file: string, bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw userError(file, 'is not UTF-8', 'save it as UTF-8, then run the command again');
}

function throwIfAny(
  { name }: SettingsFile,
  isWrong: (problem: SettingsProblem) => boolean,
  problems: readonly SettingsProblem[],
): void {
  const [first, ...others] = problems.filter(isWrong);
  if (first !== undefined) throw new SettingsError(name, [first, ...others]);
}

/** Reports the typed value, not the line that it would have in the file. */
function throwIfAbout(name: string | undefined, problems: readonly SettingsProblem[]): void {
  const about = problems.filter(({ key }) => key === name).map(({ text }) => text);
  if (name === undefined || about.length === 0) return;
  throw userError(`setting ${name}`, about.join('; '), `see what it may be: oncebitten config explain ${name}`);
}

/** False when the file is no longer what was read. An address in it may hold a password: it is for the user alone. */
function write(file: SettingsFile, bytes: Buffer): boolean {
  mkdirSync(dirname(file.path), { recursive: true, mode: 0o700 });
  const mayReplace = () => isUnchanged(file);
  return writeFileAtomically({ path: file.path, bytes, mode: 0o600, like: file.found?.stats, mayReplace });
}

function keepSchema({ configSchemaFile: file }: DataHome): void {
  const text = renderJsonSchema('settings', settingsSchema, { isWritten: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeOwnFile(file, text);
}

interface AppliedConfig {
  /** Where the change applies: in the daemon, in the manifest, or at the next start. */
  readonly by: 'daemon' | 'manifest' | 'next start';
  /** For a person. */
  readonly text: string;
}

/** Puts changed settings into effect. A running daemon sees them by itself; other hooks read them from the manifest. */
async function applyConfig(input: CommandInput, changed: readonly string[]): Promise<AppliedConfig> {
  const daemon = await findDaemon(input.home);
  if (daemon !== undefined) {
    const restart = changed.some((name) => name.split('.')[0] === 'store');
    const text = restart
      ? 'The running daemon still uses the old store. Stop it: oncebitten daemon stop'
      : 'The running daemon uses the new value at once.';
    return { by: restart ? 'next start' : 'daemon', text };
  }
  if (!existsSync(input.home.manifestFile)) return { by: 'next start', text: 'The new value applies now.' };
  try {
    await withHome(input, compileLessons);
    return {
      by: 'manifest',
      text: 'The new value applies now. Open sessions of your agents use it from their next tool call.',
    };
  } catch (error) {
    const reason = redact(toReason(error));
    return {
      by: 'next start',
      text: `The new value applies when the daemon starts, because the lessons could not be compiled with it now: ${reason}`,
    };
  }
}
