/**
 * Doctor checks of Oncebitten's text in repositories: lesson files, here and where sessions ran, and promoted lessons
 * in instruction files. Nothing else reports a promoted lesson that is gone from its file. A check without lesson files
 * or promotions returns nothing.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../../../base/model/lesson.ts';
import type { Promotion } from '../../../base/model/promotion.ts';
import { isPrivate } from '../../../base/model/switches.ts';
import { toLessonFolder } from '../../../keep/sharing/lesson-folder.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import { listStanding } from '../../../loop/promoted-lessons.ts';
import { makeRepositoryReader } from '../../../loop/repository-lessons.ts';
import { renderNextCommand } from '../../../promote/promotions.ts';
import type { CommandInput } from '../command.ts';
import { readHome } from '../open-home.ts';
import { advice, bad, type Check, checkThat, type Finding, ok } from './check.ts';

const MAX_ROOTS = 100;
const MAX_NAMED = 5;

/** `isReadable`: the store. Without it, only the repository of this folder is checked. */
export async function checkRepositories(input: CommandInput, isReadable: boolean): Promise<readonly Check[]> {
  const roots = (await listRoots(input, isReadable)).filter((root) => existsSync(toLessonFolder(root)));
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
  if (faults.length === 0) return ok(`${count} in ${repositories}`);
  const named = faults
    .slice(0, MAX_NAMED)
    .map(({ file, line, reason }) => `${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
  const more = faults.length > MAX_NAMED ? [`and ${faults.length - MAX_NAMED} more`] : [];
  return bad(
    `${faults.length} invalid, ${count} valid in ${repositories}: ${[...named, ...more].join('; ')}`,
    'correct or remove these files; the others work',
    { faults },
  );
}

async function listRoots(input: CommandInput, isReadable: boolean): Promise<readonly string[]> {
  const here = identifyProject(input.cwd).root;
  if (!isReadable || !existsSync(input.home.dir)) return [here];
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

/** Checks that the files of promoted lessons still contain them. No check if there are none. */
export async function checkPromotions(input: CommandInput): Promise<readonly Check[]> {
  if (!existsSync(input.home.dir)) return [];
  const promoted = await readPromoted(input);
  return promoted.applied.length === 0 ? [] : [await checkThat('promoted lessons', () => judge(promoted))];
}

interface Promoted {
  readonly applied: readonly Promotion[];
  readonly standing: ReadonlySet<string>;
  readonly lessons: readonly Lesson[];
}

async function readPromoted(input: CommandInput): Promise<Promoted> {
  try {
    return await readHome(input, async ({ store }) => {
      const applied = await store.listPromotions({ state: 'applied' });
      const standing = await listStanding(store);
      return { lessons: await store.listLessons(), applied, standing: new Set(standing.map(({ id }) => id)) };
    });
  } catch {
    // The check of the store reports the error.
    return { applied: [], lessons: [], standing: new Set() };
  }
}

function judge({ applied, standing, lessons }: Promoted): Finding {
  const gone = applied.filter(({ id }) => !standing.has(id));
  const [first] = gone;
  if (first === undefined) return ok(`${applied.length} applied, all in their files`);
  const slugs = new Map(lessons.map(({ id, slug }) => [id, slug]));
  const toSlug = ({ lessonId }: Promotion): string => slugs.get(lessonId) ?? lessonId;
  const named = gone.slice(0, MAX_NAMED).map((one) => `${toSlug(one)} (${join(one.root, one.file)})`);
  const more = gone.length > MAX_NAMED ? [`and ${gone.length - MAX_NAMED} more`] : [];
  const next = `in ${first.root}, write it again or give it up: ${renderNextCommand('apply', toSlug(first))}, or rollback`;
  return advice(
    `${gone.length} of ${applied.length} are no longer in their files: ${[...named, ...more].join(', ')}`,
    next,
    { gone: gone.map((one) => ({ slug: toSlug(one), root: one.root, file: one.file })) },
  );
}
