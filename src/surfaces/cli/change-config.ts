/** Changes the settings file: one command at a time, whole or not at all, and never into one that is worse than before. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { checkSettings } from '../../keep/check-settings.ts';
import { renderJsonSchema } from '../../keep/render-json-schema.ts';
import { SettingsError, type SettingsProblem } from '../../keep/settings-error.ts';
import { settingsSchema } from '../../keep/settings-schema.ts';
import type { DataHome } from '../data-home.ts';
import { isUnchanged, readSettingsFile, type SettingsFile } from '../install/read-settings-file.ts';
import { withInstallLock } from '../install/with-install-lock.ts';
import { writeFileAtomically } from '../write-file-atomically.ts';
import { writeOwnFile } from '../write-own-file.ts';

export const SCHEMA_REFERENCE = './settings.schema.json';

export interface ConfigChange {
  readonly changed: boolean;
  /** What was wrong before and still is. */
  readonly problems: readonly SettingsProblem[];
}

const TRIES = 10;

/** What is done to the file. */
export interface ConfigEdit {
  /** The setting it is about; absent for the file as a whole. */
  readonly name?: string;
  /** Gets the text, undefined where there is no file, and gives the new one, undefined to leave it. */
  readonly change: (text: string | undefined) => string | undefined;
}

export function changeConfig(home: DataHome, edit: ConfigEdit): ConfigChange {
  return withInstallLock(join(home.runDir, 'config'), () => {
    // An editor may save at the same moment, and knows nothing of our lock.
    for (let tries = 0; tries < TRIES; tries++) {
      const done = tryChange(home, edit);
      if (done !== undefined) return done;
    }
    throw new UserError({
      subject: home.configFile,
      reason: 'is being changed by another program again and again',
      next: 'wait for it, then run the command again',
    });
  });
}

function tryChange(home: DataHome, { name, change }: ConfigEdit): ConfigChange | undefined {
  const file = readSettingsFile(home.configFile);
  const before = file.found && getText(home.configFile, file.found.bytes);
  const old = checkSettings(before ?? '', {}).problems;
  throwIfAny(
    home.configFile,
    old.filter(({ kind }) => kind === 'syntax'),
  );
  const after = change(before);
  if (after === undefined) return { changed: false, problems: old };
  const { problems } = checkSettings(after, {});
  throwIfAbout(
    name,
    problems.filter(({ key }) => key === name),
  );
  throwIfAny(
    home.configFile,
    problems.filter((one) => !old.some((known) => known.key === one.key && known.text === one.text)),
  );
  if (after === before) return { changed: false, problems };
  if (!write(file, Buffer.from(after))) return undefined;
  keepSchema(home);
  return { changed: true, problems };
}

function getText(file: string, bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw new UserError({ subject: file, reason: 'is not UTF-8', next: 'save it as UTF-8, then run the command again' });
}

function throwIfAny(file: string, [first, ...others]: readonly SettingsProblem[]): void {
  if (first !== undefined) throw new SettingsError(file, [first, ...others]);
}

/** Whoever typed a value is told of it, not of the line it would have had. */
function throwIfAbout(name: string | undefined, problems: readonly SettingsProblem[]): void {
  if (name === undefined || problems.length === 0) return;
  throw new UserError({
    subject: `setting ${name}`,
    reason: problems.map(({ text }) => text).join('; '),
    next: `see what it may be: oncebitten config explain ${name}`,
  });
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
