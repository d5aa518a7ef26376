/** The files' part of an undo: what was shared goes again, what was taken back is written again. Or it says what is left to do. */
import type { Lesson } from '../../../base/lesson.ts';
import { makeToProjectId, type ProjectAlias } from '../../../base/project-alias.ts';
import type { Project } from '../../../base/session.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { toLessonPath } from '../../../keep/repository-lessons/read-lesson-folder.ts';
import { renderLessonFile } from '../../../keep/repository-lessons/render-lesson-file.ts';
import { UNDONE } from '../../../promote/undo-change.ts';
import { openFileChanges } from './change-files.ts';
import { findSharedFile, isOwnFolder, toSharedHash } from './find-shared-file.ts';

export interface Undone {
  readonly before: Lesson;
  readonly after: Lesson;
}

/** A line for each file that was touched, or could not be. */
export function followUndo(
  undone: readonly Undone[],
  cwd: string,
  aliases: readonly ProjectAlias[],
): readonly string[] {
  const project = identifyProject(cwd);
  const toProjectId = makeToProjectId(aliases);
  return undone.flatMap(({ before, after }) => {
    const wish = toWish(before, after);
    if (wish === undefined) return [];
    const { lesson, slug } = wish;
    if (toProjectId(lesson.scope.id ?? '') !== toProjectId(project.id))
      return [`Its file is in another repository and stays as it is: ${slug}.json. Undo it there with git.`];
    return [wish.kind === 'remove' ? remove(lesson, slug, project) : write(lesson, slug, project)];
  });
}

interface Wish {
  readonly kind: 'remove' | 'write';
  /** As it stands, or stood, in the repository. */
  readonly lesson: Lesson;
  readonly slug: string;
}

function toWish(before: Lesson, after: Lesson): Wish | undefined {
  const [had, has] = [isInRepository(before), isInRepository(after)];
  if (had && !has) return { kind: 'remove', lesson: before, slug: before.file?.slug ?? before.slug };
  return !had && has ? { kind: 'write', lesson: after, slug: after.file?.slug ?? after.slug } : undefined;
}

/** A copy that was made to be shared is never removed from the store: undone, it is archived with that word. */
function isInRepository({ file, archival }: Lesson): boolean {
  return file !== undefined && archival?.reason !== UNDONE;
}

function remove(lesson: Lesson, slug: string, { root }: Project): string {
  const path = toLessonPath(root, slug);
  const there = isOwnFolder(root, path) ? findSharedFile(root, slug) : undefined;
  if (there === undefined) return `Its file was not there any more: ${path}`;
  if (there.hash !== lesson.file?.hash) return `Its file was changed since and stays: ${path}`;
  return attempt(path, 'Removed', (files) => files.remove(path));
}

function write(lesson: Lesson, slug: string, { root }: Project): string {
  const path = toLessonPath(root, slug);
  if (!isOwnFolder(root, path) || findSharedFile(root, slug) !== undefined)
    return `Another file has its name and stays: ${path}`;
  if (toSharedHash(lesson, slug) !== lesson.file?.hash)
    return `The lesson was changed since; write its file again: oncebitten lessons share ${lesson.slug}`;
  return attempt(path, 'Written again', (files) => files.write(path, renderLessonFile(lesson, slug)));
}

function attempt(path: string, done: string, change: (files: ReturnType<typeof openFileChanges>) => void): string {
  const files = openFileChanges();
  try {
    change(files);
    return `${done}: ${path}. Commit it.`;
  } catch {
    files.undo();
    return `Could not be changed, do it by hand: ${path}`;
  }
}
