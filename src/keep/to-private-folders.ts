/**
 * The folders that a person listed as private, as agents report them: `~` is their home, a slash at the end means
 * nothing, and a link stands for where it leads too. A folder that is not recognised would be captured.
 */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';

export function toPrivateFolders(given: readonly string[]): readonly string[] {
  return [...new Set(given.flatMap(toPaths))];
}

/** Why an entry names no folder; undefined for one that does. What we cannot follow must not be taken in silence. */
export function findEntryFault(given: string): string | undefined {
  const path = expandHome(given);
  if (/^\$|\$\{|%\w+%/.test(given) && !existsSync(path)) return 'variables are not filled in here';
  if (!isAbsolute(path)) return 'is not a whole path';
  if (/[*?[\]{}]|\$\w/.test(path) && !existsSync(path)) return 'patterns and variables are not followed';
  return undefined;
}

function expandHome(given: string): string {
  return given.replace(/^~(?=$|[/\\])/, homedir());
}

function toPaths(given: string): readonly string[] {
  const path = expandHome(given).replace(/(?<=.)\/+$/, '');
  try {
    return [path, realpathSync(path)];
  } catch {
    return [path];
  }
}
