/** Where a program is on the PATH, found without running anything. Relative folders would lead into a project. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export function findProgram(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
