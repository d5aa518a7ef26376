/** The settings as they are now: read again when their file is another one. A broken file changes nothing. */
import { statSync } from 'node:fs';
import type { Settings } from '../base/settings.ts';
import { readSettings } from './read-settings.ts';

export function makeSettingsFinder(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): () => Settings | undefined {
  let stamp: string | undefined;
  let settings: Settings | undefined;
  return () => {
    const stat = statSync(file, { throwIfNoEntry: false });
    const now = stat === undefined ? 'absent' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    if (now === stamp) return settings;
    stamp = now;
    try {
      settings = readSettings(file, env);
    } catch {
      // Whoever runs a command is told what is wrong with it.
    }
    return settings;
  };
}
