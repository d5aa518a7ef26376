/**
 * Checks that a lesson can be shared, before anything is changed, and computes the lesson after it is shared or taken
 * back. The computation is pure.
 */

import { homedir } from 'node:os';
import type { UserError } from '../../../../base/errors.ts';
import type { Lesson } from '../../../../base/model/lesson.ts';
import { isInScope } from '../../../../base/model/lesson-scope.ts';
import { makeToProjectId, type ProjectAlias } from '../../../../base/model/project.ts';
import type { Project } from '../../../../base/model/session.ts';
import type { SecretScan } from '../../../../capture/secrets/scan-secrets.ts';
import { parseLessonFile, renderLessonFile } from '../../../../keep/sharing/lesson-file.ts';
import { findSecretField, listTexts } from '../../../../loop/checks/lesson-secrets.ts';
import { findFileBar } from '../../../../promote/candidates.ts';
import type { Author } from '../../../../promote/transition.ts';
import { userError } from '../../errors.ts';

interface Sharing {
  readonly act: Author;
  readonly projectId: string;
  /** Its name in the repository. */
  readonly slug: string;
  readonly hash: string;
  /** For a lesson for every project, which stays: id and name of the repository's own copy. */
  readonly copy: { readonly id: string; readonly slug: string };
}

/** Whoever shares a lesson vouches for it: it is confirmed as long as the file says that. */
export function shareLesson(lesson: Lesson, { act, projectId, slug, hash, copy }: Sharing): Lesson {
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
export function unshareLesson(lesson: Lesson, everywhere: Lesson | undefined, { at }: Author): Lesson {
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
export async function checkShareable(lesson: Lesson, context: ShareContext): Promise<void> {
  checkState(lesson, context);
  const field = await findSecretField(lesson, context.scan);
  if (field !== undefined)
    throw refuse(
      lesson,
      `seems to contain a secret in its ${field}`,
      `remove it: oncebitten lessons edit ${lesson.slug}`,
    );
  const slug = lesson.file?.slug ?? lesson.slug;
  const result = parseLessonFile(slug, renderLessonFile(lesson, slug));
  if ('reason' in result)
    throw refuse(
      lesson,
      `cannot be a file of a repository: ${result.reason}`,
      `change it: oncebitten lessons edit ${lesson.slug}`,
    );
  const own = [...listTexts(lesson), { name: 'triggers', text: JSON.stringify(lesson.triggers) }];
  const home = own.find(({ text }) => text.includes(`${homedir()}/`));
  if (home !== undefined && !context.force)
    throw refuse(lesson, `names your home folder in its ${home.name}`, 'edit it, or share it as it is with --force');
}

function checkState(lesson: Lesson, { project, aliases }: ShareContext): void {
  const bar = findFileBar(lesson);
  if (bar !== undefined) throw refuse(lesson, bar.reason, bar.next);
  if (!isInScope(lesson.scope, { projectId: project.id }, makeToProjectId(aliases)))
    throw refuse(
      lesson,
      `belongs to another project than ${project.root}`,
      'run the command in a folder of its project',
    );
}

export function refuse({ slug }: Pick<Lesson, 'slug'>, reason: string, next: string, cause?: unknown): UserError {
  return userError(`lesson ${slug}`, reason, next, cause);
}
