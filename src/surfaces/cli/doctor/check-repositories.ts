/** Lesson files of repositories: here, and where sessions were. Nothing where there are none. */
import { existsSync } from 'node:fs';
import { isPrivate } from '../../../base/is-private.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { toLessonFolder } from '../../../keep/repository-lessons/read-lesson-folder.ts';
import { makeRepositoryReader } from '../../repository/read-repository.ts';
import type { CommandInput } from '../command.ts';
import { readHome } from '../open-home.ts';
import { type Check, checkThat, type Finding } from './check.ts';

const MAX_ROOTS = 100;
const MAX_TOLD = 5;

export async function checkRepositories(input: CommandInput): Promise<readonly Check[]> {
  const roots = (await listRoots(input)).filter((root) => existsSync(toLessonFolder(root)));
  if (roots.length === 0) return [];
  return [await checkThat('lesson files', () => checkFolders(roots))];
}

async function checkFolders(roots: readonly string[]): Promise<Finding> {
  const read = makeRepositoryReader(() => {});
  const folders = [];
  for (const root of roots) folders.push(await read(root));
  const faults = folders.flatMap((folder) => folder.faults);
  const count = folders.reduce((sum, { lessons }) => sum + lessons.size, 0);
  const repositories = roots.length === 1 ? '1 repository' : `${roots.length} repositories`;
  if (faults.length === 0) return { state: 'ok', detail: `${count} in ${repositories}` };
  const told = faults
    .slice(0, MAX_TOLD)
    .map(({ file, line, reason }) => `${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
  const more = faults.length > MAX_TOLD ? [`and ${faults.length - MAX_TOLD} more`] : [];
  return {
    state: 'bad',
    detail: `${faults.length} cannot be used, ${count} in ${repositories} can. ${[...told, ...more].join('; ')}`,
    next: 'mend or remove these files; the others work',
    data: { faults },
  };
}

/** Without a store that can be read, only here. */
async function listRoots(input: CommandInput): Promise<readonly string[]> {
  const here = identifyProject(input.cwd).root;
  if (!existsSync(input.home.dir)) return [here];
  try {
    return await readHome(input, async ({ store, settings }) => {
      const known = (await store.listProjectSummaries()).flatMap(({ roots, joined }) => [
        ...roots,
        ...joined.flatMap((one) => one.roots),
      ]);
      const all = [...new Set([here, ...known])].slice(0, MAX_ROOTS);
      return all.filter((root) => !isPrivate(root, settings.privateProjects));
    });
  } catch {
    return [here];
  }
}
