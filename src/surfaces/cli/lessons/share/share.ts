/**
 * `oncebitten lessons share` writes a lesson as a file of the repository, for everybody who works in it; `lessons
 * unshare` removes the file, and the lesson stays in the store. Files and store change together. If git does not see the
 * file, it would reach nobody, so the command asks first.
 */

import { homedir } from 'node:os';
import { relative } from 'node:path';
import type { Lesson, LessonUpdate } from '../../../../base/model/lesson.ts';
import { isInScope } from '../../../../base/model/lesson-scope.ts';
import { makeToProjectId, type ProjectAlias } from '../../../../base/model/project.ts';
import type { Project } from '../../../../base/model/session.ts';
import { makeSecretScan, type SecretScan } from '../../../../capture/secrets/scan-secrets.ts';
import { parseLessonFile, renderLessonFile } from '../../../../keep/sharing/lesson-file.ts';
import { toLessonPath } from '../../../../keep/sharing/lesson-folder.ts';
import { findSecretField, listTexts } from '../../../../loop/checks/lesson-secrets.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import { askGit } from '../../../../loop/projects/ask-git.ts';
import { isOf, toLessonId, toOtherSlug } from '../../../../loop/repository-lessons.ts';
import { findFileBar } from '../../../../promote/candidates.ts';
import type { Author } from '../../../../promote/transition.ts';
import { getKnown, getNamed, lessonError, toWholeNames } from '../../arguments/lessons.ts';
import { saysYes } from '../../arguments/options.ts';
import type { CommandInput, Handler } from '../../command.ts';
import { type OpenHome, withHome } from '../../open-home.ts';
import { makeAct } from '../change-lessons.ts';
import { type FileEdits, openFileEdits } from '../file-edits.ts';
import {
  findSharedFile,
  isOwnFolder,
  readHere,
  removeLessonFile,
  toSharedHash,
  writeLessonFile,
} from './shared-files.ts';

export const runShare: Handler = (input) =>
  withHome(input, async (open) => {
    const { project } = await readHere(open, input.cwd);
    const names = [...new Set(input.arguments)];
    const aliases = await open.store.listProjectAliases();
    const context = { project, aliases, scan: makeSecretScan({ log: open.log }), force: input.options.force === true };
    const lessons: Lesson[] = [];
    for (const name of names) lessons.push(await getNamed(open.store, name));
    for (const lesson of lessons) await checkShareable(lesson, context);
    await askWhetherSeen(input, project, lessons);
    const toProjectId = makeToProjectId(aliases);
    const projectId = toProjectId(project.id);
    const change = makeChange(input, project);
    // The repository's own lesson of that name, beside one for every project.
    const ids = lessons.flatMap(({ id, slug }) => [id, toLessonId(projectId, slug)]);
    const saved = await save(open, ids, change, (fresh) =>
      lessons.map(({ slug }, i) => {
        const [lesson, copy] = [getKnown(slug, fresh[2 * i]), fresh[2 * i + 1]];
        const isShared = copy !== undefined && isOf(copy, project.id, toProjectId);
        return share(lesson, isShared ? copy : undefined, { ...change, projectId });
      }),
    );
    const paths = saved.map(({ file, slug }) => toLessonPath(project.root, file?.slug ?? slug));
    return { json: { lessons: saved, files: paths }, text: renderShared(saved, paths) };
  });

/** What happens to the files of a repository. */
interface Change {
  readonly project: Project;
  readonly act: Author;
  readonly files: FileEdits;
  readonly force: boolean;
}

function makeChange(input: CommandInput, project: Project): Change {
  const files = openFileEdits({ root: project.root, dryRun: false, force: false });
  return { project, act: makeAct(input), files, force: input.options.force === true };
}

/** Changes files and store together; a reader of the files waits for the store. */
async function save(
  open: OpenHome,
  ids: readonly string[],
  { files }: Change,
  decide: (fresh: readonly (Lesson | undefined)[]) => readonly LessonUpdate[],
): Promise<readonly Lesson[]> {
  const saved = await open.store.updateLessons(ids, decide).catch((error: unknown) => {
    files.undo();
    throw error;
  });
  await compileLessons(open);
  return saved;
}

function share(
  lesson: Lesson,
  known: Lesson | undefined,
  { project, projectId, act, files, force }: Change & { readonly projectId: string },
): LessonUpdate {
  const slug = lesson.file?.slug ?? lesson.slug;
  const hash = toSharedHash(lesson, slug);
  const id = toLessonId(projectId, slug);
  const before = lesson.scope.kind === 'project' ? lesson : known;
  checkFile({ lesson, before, project, slug, hash, force });
  const copy = before === undefined ? { id, slug: toOtherSlug(slug, id) } : { id: before.id, slug: before.slug };
  writeLessonFile(files, toLessonPath(project.root, slug), lesson, slug);
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
    throw lessonError(lesson, 'is already shared, unchanged', `see the file: ${path}`);
  if (there.hash === hash || (isKnown && there.hash === before.file?.hash && before === lesson) || (isKnown && force))
    return;
  throw lessonError(
    lesson,
    isKnown ? `has a file that somebody changed: ${path}` : `would replace another file: ${path}`,
    isKnown ? 'look at the change (git diff), then replace it with --force' : 'rename or remove that file first',
  );
}

function checkFolder(lesson: Lesson, { root }: Project, path: string): void {
  if (isOwnFolder(root, path)) return;
  throw lessonError(lesson, `would be written outside ${root}`, 'make .oncebitten/lessons a folder of the repository');
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
  throw lessonError(
    first,
    `was not shared: ${doubt}`,
    `write the file anyway: oncebitten lessons share --force ${lessons.map(({ slug }) => slug).join(' ')}`,
  );
}

function renderShared(lessons: readonly Lesson[], paths: readonly string[]): string {
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

export const runUnshare: Handler = (input) =>
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
    const change = makeChange(input, project);
    const ids = wanted.map(({ id }) => id);
    const saved = await save(open, ids, change, (fresh) =>
      fresh.map((found, i) => {
        const lesson = getKnown(wanted[i]?.slug ?? '', found);
        return take(lesson, findEverywhere(all, lesson), change);
      }),
    );
    return { json: { lessons: saved }, text: renderUnshared(saved) };
  });

/** By its name in the repository first: that is what a person sees there. */
function getShared(name: string, shared: readonly Lesson[], all: readonly Lesson[], project: Project): Lesson {
  const found =
    shared.find(({ file }) => file?.slug === name) ?? shared.find(({ id, slug }) => id === name || slug === name);
  if (found !== undefined) return found;
  const known = getKnown(
    name,
    all.find(({ id, slug }) => id === name || slug === name),
  );
  throw lessonError(known, `is not shared in ${project.root}`, 'run the command in the repository that has its file');
}

function findEverywhere(all: readonly Lesson[], { contentHash }: Lesson): Lesson | undefined {
  return all.find((one) => one.scope.kind === 'user' && one.status === 'active' && one.contentHash === contentHash);
}

function take(lesson: Lesson, everywhere: Lesson | undefined, { project, act, files, force }: Change): LessonUpdate {
  const { file } = lesson;
  if (file === undefined) throw lessonError(lesson, 'is no longer shared', 'see it: oncebitten lessons list');
  const path = toLessonPath(project.root, file.slug);
  const there = isOwnFolder(project.root, path) ? findSharedFile(project.root, file.slug) : undefined;
  if (there !== undefined && there.hash !== file.hash && !force) {
    const reason = `has a file that was changed or is broken: ${path}`;
    throw lessonError(lesson, reason, 'correct it, or remove it anyway with --force');
  }
  if (there !== undefined) removeLessonFile(files, path);
  return {
    lesson: unshareLesson(lesson, everywhere, act),
    change: { ...act, reason: 'taken back from the repository' },
  };
}

function renderUnshared(lessons: readonly Lesson[]): string {
  const names = lessons.map(({ slug, status, archival }) =>
    status === 'archived' ? `${slug} (archived: ${archival?.reason ?? 'before'})` : slug,
  );
  const again = lessons.filter(({ status }) => status !== 'archived').map(({ slug }) => slug);
  return [
    `No longer shared: ${names.join(', ')}. ${renderKept(lessons.length)}`,
    ...(again.length === 0 ? [] : [`Share again: oncebitten lessons share ${again.join(' ')}`]),
  ].join(' ');
}

function renderKept(count: number): string {
  return count === 1
    ? 'You keep the lesson. Commit the deletion of the file, so that the others lose the lesson, too.'
    : 'You keep the lessons. Commit the deletion of the files, so that the others lose the lessons, too.';
}

interface SharedParts {
  readonly act: Author;
  readonly projectId: string;
  /** Its name in the repository. */
  readonly slug: string;
  readonly hash: string;
  /** For a lesson for every project, which stays: id and name of the repository's own copy. */
  readonly copy: { readonly id: string; readonly slug: string };
}

/** The user who shares a lesson vouches for it, so it counts as confirmed while the file is unchanged. */
function shareLesson(lesson: Lesson, { act, projectId, slug, hash, copy }: SharedParts): Lesson {
  const { contentHash, file } = lesson;
  const shared: Lesson = {
    ...lesson,
    file: { slug, hash, contentHash, ...(file?.confirmed === undefined ? {} : { confirmed: file.confirmed }) },
    reviewedBy: act.by,
    updatedAt: act.at,
  };
  if (lesson.scope.kind === 'project') return shared;
  const { provisional: _, learnedAs: __, lastMatchedAt: ___, ...rest } = shared;
  return {
    ...{ ...rest, ...copy, scope: { kind: 'project', id: projectId } },
    ...{ evidence: [], occurrences: 0, sessions: 0, projects: 1, createdAt: act.at },
  };
}

/** `everywhere`: the lesson of this person that says the same in all projects; then there is nothing to keep. */
function unshareLesson(lesson: Lesson, everywhere: Lesson | undefined, { at }: Author): Lesson {
  const { file: _, ...rest } = lesson;
  if (everywhere === undefined || lesson.status === 'archived') return { ...rest, updatedAt: at };
  const reason = `${everywhere.slug} says the same everywhere`;
  return {
    ...{ ...rest, status: 'archived', updatedAt: at },
    archival: { cause: 'superseded', reason, from: lesson.status },
    validity: { ...lesson.validity, supersededBy: everywhere.id },
  };
}

interface ShareContext {
  readonly project: Project;
  readonly aliases: readonly ProjectAlias[];
  readonly scan: SecretScan;
  readonly force: boolean;
}

/** Why a lesson cannot be shared, before anything is changed. */
async function checkShareable(lesson: Lesson, context: ShareContext): Promise<void> {
  checkState(lesson, context);
  await checkForOthers(lesson, context, [{ name: 'triggers', text: JSON.stringify(lesson.triggers) }]);
  const slug = lesson.file?.slug ?? lesson.slug;
  const result = parseLessonFile(slug, renderLessonFile(lesson, slug));
  if ('reason' in result)
    throw lessonError(
      lesson,
      `cannot be a file of a repository: ${result.reason}`,
      `change it: oncebitten lessons edit ${lesson.slug}`,
    );
}

/** Others will read it: no secret goes into a file of the repository, and your home folder only if you say so. */
export async function checkForOthers(
  lesson: Lesson,
  { scan, force }: Pick<ShareContext, 'scan' | 'force'>,
  more: ReturnType<typeof listTexts> = [],
): Promise<void> {
  const edit = `oncebitten lessons edit ${lesson.slug}`;
  const field = await findSecretField(lesson, scan);
  if (field !== undefined) throw lessonError(lesson, `seems to contain a secret in its ${field}`, `remove it: ${edit}`);
  const home = [...listTexts(lesson), ...more].find(({ text }) => text.includes(`${homedir()}/`));
  if (home !== undefined && !force)
    throw lessonError(
      lesson,
      `names your home folder in its ${home.name}`,
      `${edit}, or write it as it is with --force`,
    );
}

function checkState(lesson: Lesson, { project, aliases }: ShareContext): void {
  const bar = findFileBar(lesson);
  if (bar !== undefined) throw lessonError(lesson, bar.reason, bar.next);
  if (!isInScope(lesson.scope, { projectId: project.id }, makeToProjectId(aliases)))
    throw lessonError(
      lesson,
      `belongs to another project than ${project.root}`,
      'run the command in a folder of its project',
    );
}
