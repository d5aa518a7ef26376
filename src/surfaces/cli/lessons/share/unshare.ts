/** `oncebitten lessons unshare`: the file goes, the lesson stays in the store, for this person and this project. */
import type { Lesson, LessonUpdate } from '../../../../base/model/lesson.ts';
import { makeToProjectId } from '../../../../base/model/project.ts';
import type { Project } from '../../../../base/model/session.ts';
import { toLessonPath } from '../../../../keep/sharing/lesson-folder.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import { isOf } from '../../../../loop/repository-lessons.ts';
import type { Author } from '../../../../promote/transition.ts';
import { getKnown, toWholeNames } from '../../arguments/lessons.ts';
import type { Handler } from '../../command.ts';
import { type OpenHome, withHome } from '../../open-home.ts';
import { makeAct } from '../change-lessons.ts';
import { readHere } from './repository.ts';
import { type FileChanges, findSharedFile, isOwnFolder, openFileChanges } from './shared-files.ts';
import { refuse, unshareLesson } from './shared-lesson.ts';

export const run: Handler = (input) =>
  withHome(input, async (open) => {
    const { project } = await readHere(open, input.cwd);
    const toProjectId = makeToProjectId(await open.store.listProjectAliases());
    const all = await open.store.listLessons();
    const shared = all.filter((lesson) => isOf(lesson, project.id, toProjectId));
    const isFile = (name: string): boolean => shared.some(({ file }) => file?.slug === name);
    const stored = await toWholeNames(
      open.store,
      input.arguments.filter((name) => !isFile(name)),
    );
    const wanted = [...new Set([...input.arguments.filter(isFile), ...stored])].map((name) =>
      getShared(name, shared, all, project),
    );
    const files = openFileChanges();
    const taking: Taking = { project, act: makeAct(input), files, force: input.options.force === true };
    const saved = await save(open, wanted, all, taking);
    await compileLessons(open);
    return { json: { lessons: saved }, text: render(saved) };
  });

interface Taking {
  readonly project: Project;
  readonly act: Author;
  readonly files: FileChanges;
  readonly force: boolean;
}

/** Files and store change together. */
async function save(
  { store }: OpenHome,
  wanted: readonly Lesson[],
  all: readonly Lesson[],
  taking: Taking,
): Promise<readonly Lesson[]> {
  try {
    return await store.updateLessons(
      wanted.map(({ id }) => id),
      (fresh) =>
        fresh.map((found, i) => {
          const lesson = getKnown(wanted[i]?.slug ?? '', found);
          return take(lesson, findEverywhere(all, lesson), taking);
        }),
    );
  } catch (error) {
    taking.files.undo();
    throw error;
  }
}

/** By its name in the repository first: that is what a person sees there. */
function getShared(name: string, shared: readonly Lesson[], all: readonly Lesson[], project: Project): Lesson {
  const found =
    shared.find(({ file }) => file?.slug === name) ?? shared.find(({ id, slug }) => id === name || slug === name);
  if (found !== undefined) return found;
  const known = getKnown(
    name,
    all.find(({ id, slug }) => id === name || slug === name),
  );
  throw refuse(known, `is not shared in ${project.root}`, 'run the command in the repository that has its file');
}

function findEverywhere(all: readonly Lesson[], { contentHash }: Lesson): Lesson | undefined {
  return all.find((one) => one.scope.kind === 'user' && one.status === 'active' && one.contentHash === contentHash);
}

function take(lesson: Lesson, everywhere: Lesson | undefined, { project, act, files, force }: Taking): LessonUpdate {
  const { file } = lesson;
  if (file === undefined) throw refuse(lesson, 'is no longer shared', 'see it: oncebitten lessons list');
  const path = toLessonPath(project.root, file.slug);
  const there = isOwnFolder(project.root, path) ? findSharedFile(project.root, file.slug) : undefined;
  if (there !== undefined && there.hash !== file.hash && !force) {
    const reason = `has a file that was changed or is broken: ${path}`;
    throw refuse(lesson, reason, 'correct it, or remove it anyway with --force');
  }
  if (there !== undefined) files.remove(path);
  return {
    lesson: unshareLesson(lesson, everywhere, act),
    change: { ...act, reason: 'taken back from the repository' },
  };
}

function render(lessons: readonly Lesson[]): string {
  const names = lessons.map(({ slug, status, archival }) =>
    status === 'archived' ? `${slug} (archived: ${archival?.reason ?? 'before'})` : slug,
  );
  const again = lessons.filter(({ status }) => status !== 'archived').map(({ slug }) => slug);
  return [
    `No longer shared, but still in your store: ${names.join(', ')}. Commit, so that it is removed for others.`,
    ...(again.length === 0 ? [] : [`Share again: oncebitten lessons share ${again.join(' ')}`]),
  ].join(' ');
}
