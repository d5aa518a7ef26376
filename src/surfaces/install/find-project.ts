/** The folder that `--project [dir]` names; undefined without the option. A folder that is not there is a slip. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';

export function findProject(given: unknown, cwd: string): string | undefined {
  if (given === undefined) return undefined;
  const folder = typeof given === 'string' ? resolve(cwd, given) : cwd;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UserError({
    subject: folder,
    reason: 'is no folder',
    next: 'name the folder of a project, or leave it out to mean this one: --project',
  });
}
