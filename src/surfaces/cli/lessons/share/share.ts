/**
 * `oncebitten lessons share`: writes a lesson as a file of the repository, for everybody who works in it. The command
 * asks first if git does not see the file, because it would then reach nobody.
 */

import { relative } from 'node:path';
import type { Lesson, LessonUpdate } from '../../../../base/model/lesson.ts';
import { makeToProjectId } from '../../../../base/model/project.ts';
import type { Project } from '../../../../base/model/session.ts';
import { makeSecretScan } from '../../../../capture/secrets/scan-secrets.ts';
import { renderLessonFile } from '../../../../keep/sharing/lesson-file.ts';
import { toLessonPath } from '../../../../keep/sharing/lesson-folder.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import { askGit } from '../../../../loop/projects/ask-git.ts';
import { isOf, toLessonId, toOtherSlug } from '../../../../loop/repository-lessons.ts';
import type { Author } from '../../../../promote/transition.ts';
import { getKnown, getNamed } from '../../arguments/lessons.ts';
import { saysYes } from '../../arguments/options.ts';
import type { CommandInput, Handler } from '../../command.ts';
import { type OpenHome, withHome } from '../../open-home.ts';
import { makeAct } from '../change-lessons.ts';
import { readHere } from './repository.ts';
import { type FileChanges, findSharedFile, isOwnFolder, openFileChanges, toSharedHash } from './shared-files.ts';
import { checkShareable, refuse, shareLesson } from './shared-lesson.ts';

export const run: Handler = (input) =>
  withHome(input, async (open) => {
    const { project } = await readHere(open, input.cwd);
    const names = [...new Set(input.arguments)];
    const aliases = await open.store.listProjectAliases();
    const context = { project, aliases, scan: makeSecretScan({ log: open.log }), force: input.options.force === true };
    const lessons = [];
    for (const name of names) lessons.push(await getNamed(open.store, name));
    for (const lesson of lessons) await checkShareable(lesson, context);
    await askWhetherSeen(input, project, lessons);
    const toProjectId = makeToProjectId(aliases);
    const files = openFileChanges();
    const sharing: Sharing = {
      project,
      projectId: toProjectId(project.id),
      act: makeAct(input),
      files,
      force: context.force,
    };
    const saved = await save(open, lessons, sharing, (lesson) => isOf(lesson, project.id, toProjectId));
    await compileLessons(open);
    const paths = saved.map(({ file, slug }) => toLessonPath(project.root, file?.slug ?? slug));
    return { json: { lessons: saved, files: paths }, text: render(saved, paths) };
  });

interface Sharing {
  readonly project: Project;
  readonly projectId: string;
  readonly act: Author;
  readonly files: FileChanges;
  readonly force: boolean;
}

/** Changes files and store together; a reader of the files waits for the store. */
async function save(
  { store }: OpenHome,
  lessons: readonly Lesson[],
  sharing: Sharing,
  isShared: (lesson: Lesson) => boolean,
): Promise<readonly Lesson[]> {
  // The repository's own lesson of that name, beside one for every project.
  const names = lessons.flatMap(({ id, slug }) => [id, toLessonId(sharing.projectId, slug)]);
  try {
    return await store.updateLessons(names, (fresh) =>
      lessons.map(({ slug }, i) => {
        const [lesson, copy] = [getKnown(slug, fresh[2 * i]), fresh[2 * i + 1]];
        return share(lesson, copy !== undefined && isShared(copy) ? copy : undefined, sharing);
      }),
    );
  } catch (error) {
    sharing.files.undo();
    throw error;
  }
}

function share(lesson: Lesson, known: Lesson | undefined, sharing: Sharing): LessonUpdate {
  const { project, projectId, act, files, force } = sharing;
  const slug = lesson.file?.slug ?? lesson.slug;
  const hash = toSharedHash(lesson, slug);
  const id = toLessonId(projectId, slug);
  const before = lesson.scope.kind === 'project' ? lesson : known;
  checkFile({ lesson, before, project, slug, hash, force });
  const copy = before === undefined ? { id, slug: toOtherSlug(slug, id) } : { id: before.id, slug: before.slug };
  files.write(toLessonPath(project.root, slug), renderLessonFile(lesson, slug));
  return {
    lesson: shareLesson(lesson, { act, projectId, slug, hash, copy }),
    change: { ...act, reason: 'shared with the repository' },
  };
}

interface Checked {
  readonly lesson: Lesson;
  readonly before: Lesson | undefined;
  readonly project: Project;
  readonly slug: string;
  readonly hash: string;
  readonly force: boolean;
}

function checkFile({ lesson, before, project, slug, hash, force }: Checked): void {
  const path = toLessonPath(project.root, slug);
  checkFolder(lesson, project, path);
  const there = findSharedFile(project.root, slug);
  if (there === undefined) return;
  const isKnown = before?.file !== undefined && before.file.slug === slug;
  if (there.hash === hash && isKnown && before.reviewedBy !== undefined)
    throw refuse(lesson, 'is already shared, unchanged', `see the file: ${path}`);
  if (there.hash === hash || (isKnown && there.hash === before.file?.hash && before === lesson) || (isKnown && force))
    return;
  throw refuse(
    lesson,
    isKnown ? `has a file that somebody changed: ${path}` : `would replace another file: ${path}`,
    isKnown ? 'look at the change (git diff), then replace it with --force' : 'rename or remove that file first',
  );
}

function checkFolder(lesson: Lesson, { root }: Project, path: string): void {
  if (isOwnFolder(root, path)) return;
  throw refuse(lesson, `would be written outside ${root}`, 'make .oncebitten/lessons a folder of the repository');
}

/** Somebody is asked; a script has to say --force. */
async function askWhetherSeen(input: CommandInput, project: Project, lessons: readonly Lesson[]): Promise<void> {
  const [first] = lessons;
  if (first === undefined) return;
  const path = toLessonPath(project.root, first.file?.slug ?? first.slug);
  checkFolder(first, project, path);
  const doubt = input.options.force === true ? undefined : findSharingDoubt(project.root, path);
  if (doubt === undefined) return;
  if (await saysYes(input, `${doubt}: nobody else would get it. Write it anyway?`)) return;
  throw refuse(
    first,
    `was not shared: ${doubt}`,
    `write the file anyway: oncebitten lessons share --force ${lessons.map(({ slug }) => slug).join(' ')}`,
  );
}

function render(lessons: readonly Lesson[], paths: readonly string[]): string {
  const names = lessons.map(({ file, slug }) => file?.slug ?? slug);
  return [
    `Shared: ${names.join(', ')}. Commit these files, so that others get them:`,
    ...paths.map((path) => `  ${path}`),
    `Undo: oncebitten lessons unshare ${names.join(' ')}`,
  ].join('\n');
}

/** Why others would not get the file: git does not see it. Undefined if git sees it. */
function findSharingDoubt(root: string, file: string): string | undefined {
  const { status, error } = askGit(root, ['check-ignore', '-q', '--', relative(root, file)]);
  if (error !== undefined) return 'git does not answer here';
  if (status === 0) return `git ignores ${relative(root, file)}`;
  return status === 1 ? undefined : `${root} is not a git work tree`;
}
