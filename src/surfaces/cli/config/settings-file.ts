/**
 * Changes Oncebitten's settings file and puts the change into effect. One command at a time changes the file, whole or
 * not at all, and never makes it worse than before. A running daemon notices the change by itself; hooks without a
 * daemon read the settings from the manifest.
 */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toReason } from '../../../base/errors.ts';
import { redact } from '../../../base/secrets/redaction.ts';
import { renderJsonSchema } from '../../../keep/schemas/schema-texts.ts';
import { checkSettings } from '../../../keep/settings/check-settings.ts';
import { SettingsError, type SettingsProblem } from '../../../keep/settings/settings-error.ts';
import { settingsSchema } from '../../../keep/settings/settings-schema.ts';
import { compileLessons } from '../../../loop/compile-lessons.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { writeFileAtomically, writeOwnFile } from '../../../loop/home/write-file.ts';
import { findDaemon } from '../../daemon/control-daemon.ts';
import { isUnchanged, readSettingsFile, type SettingsFile } from '../../install/user-file.ts';
import { withInstallLock } from '../../install/with-install-lock.ts';
import type { CommandInput } from '../command.ts';
import { userError } from '../errors.ts';
import { withHome } from '../open-home.ts';

export const SCHEMA_REFERENCE = './settings.schema.json';

interface ConfigChange {
  readonly changed: boolean;
  /** What was wrong before and still is. */
  readonly problems: readonly SettingsProblem[];
}

const TRIES = 10;

/** What is done to the file. */
interface ConfigEdit {
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
    throw userError(
      home.configFile,
      'keeps being changed by another program',
      'wait until that program has finished, then run the command again',
    );
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
  throw userError(file, 'is not UTF-8', 'save it as UTF-8, then run the command again');
}

function throwIfAny(file: string, [first, ...others]: readonly SettingsProblem[]): void {
  if (first !== undefined) throw new SettingsError(file, [first, ...others]);
}

/** Reports the typed value, not the line that it would have in the file. */
function throwIfAbout(name: string | undefined, problems: readonly SettingsProblem[]): void {
  if (name === undefined || problems.length === 0) return;
  throw userError(
    `setting ${name}`,
    problems.map(({ text }) => text).join('; '),
    `see what it may be: oncebitten config explain ${name}`,
  );
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
  /** Where the change takes effect: in the daemon, in the manifest, or at the next start. */
  readonly by: 'daemon' | 'manifest' | 'next start';
  /** For a person. */
  readonly text: string;
}

/** Lets changed settings count: a running daemon sees them by itself, hooks without one read them from the manifest. */
export async function applyConfig(input: CommandInput, changed: readonly string[]): Promise<AppliedConfig> {
  const daemon = await findDaemon(input.home);
  if (daemon !== undefined) {
    const restart = changed.some((name) => name.split('.')[0] === 'store');
    const text = restart
      ? 'The running daemon still uses the old store. Stop it: oncebitten daemon stop'
      : 'The running daemon uses it at once; no restart is needed.';
    return { by: restart ? 'next start' : 'daemon', text };
  }
  if (!existsSync(input.home.manifestFile)) return { by: 'next start', text: 'It takes effect now.' };
  try {
    await withHome(input, compileLessons);
    return { by: 'manifest', text: 'It takes effect at the next hook.' };
  } catch (error) {
    const reason = redact(toReason(error));
    return { by: 'next start', text: `It takes effect when the daemon starts, which failed now: ${reason}` };
  }
}
