/** The settings as they are now: read again when their file is another one. One that cannot be read changes nothing. */
import { statSync } from 'node:fs';
import type { Settings } from '../base/settings.ts';
import { readSettings } from './read-settings.ts';

/** Undefined while there never were any that could be read. It is asked while an agent waits: it never throws. */
export function makeSettingsFinder(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): () => Settings | undefined {
  let stamp: string | undefined;
  let settings: Settings | undefined;
  return () => {
    try {
      const stat = statSync(file, { throwIfNoEntry: false });
      const now = stat === undefined ? 'absent' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
      if (now === stamp) return settings;
      stamp = now;
      settings = readSettings(file, env);
    } catch {
      // Whoever runs a command is told what is wrong with it.
    }
    return settings;
  };
}
