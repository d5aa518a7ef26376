/**
 * The hook file as it stands in hook commands: the default data directory by way of `$HOME`, any other by its path.
 */
import { join, resolve } from 'node:path';
import { DEFAULT_HOOK_FILE } from './to-hook-command.ts';

export function toHookFile(dataDirectory: string, home: string): string {
  const isDefault = resolve(dataDirectory) === resolve(home, '.oncebitten');
  return isDefault ? DEFAULT_HOOK_FILE : join(resolve(dataDirectory), 'bin', 'hook');
}
