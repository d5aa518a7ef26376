/**
 * The folders that a person listed as private, as agents report them: `~` is their home, a slash at the end means
 * nothing, and a link stands for where it leads too. A folder that is not recognised would be captured.
 */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';

export function toPrivateFolders(given: readonly string[]): readonly string[] {
  return [...new Set(given.flatMap(toPaths))];
}

function toPaths(given: string): readonly string[] {
  const path = given.replace(/^~(?=$|\/)/, homedir()).replace(/(?<=.)\/+$/, '');
  try {
    return [path, realpathSync(path)];
  } catch {
    return [path];
  }
}
