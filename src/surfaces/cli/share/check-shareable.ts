/** Why a lesson cannot be shared, before anything is changed. */
import { homedir } from 'node:os';
import { UserError } from '../../../base/errors.ts';
import type { Lesson } from '../../../base/lesson.ts';
import { makeToProjectId, type ProjectAlias } from '../../../base/project-alias.ts';
import type { Project } from '../../../base/session.ts';
import type { SecretScan } from '../../../capture/scan-secrets.ts';
import { parseLessonFile } from '../../../keep/repository-lessons/parse-lesson-file.ts';
import { renderLessonFile } from '../../../keep/repository-lessons/render-lesson-file.ts';
import { findSecretField, listTexts } from '../../find-secret-field.ts';

export interface ShareContext {
  readonly project: Project;
  readonly aliases: readonly ProjectAlias[];
  readonly scan: SecretScan;
  readonly force: boolean;
}

export async function checkShareable(lesson: Lesson, context: ShareContext): Promise<void> {
  checkState(lesson, context);
  const field = await findSecretField(lesson, context.scan);
  if (field !== undefined)
    throw refuse(
      lesson,
      `looks like it holds a secret in its ${field}`,
      `take it out: oncebitten lessons edit ${lesson.slug}`,
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
  const { status, needsReview, scope, slug } = lesson;
  const toProjectId = makeToProjectId(aliases);
  if (status === 'archived')
    throw refuse(lesson, 'is archived', `restore it first: oncebitten lessons restore ${slug}`);
  if (status === 'draft' || needsReview)
    throw refuse(lesson, 'waits for review', `approve it first: oncebitten lessons approve ${slug}`);
  if (scope.kind === 'session')
    throw refuse(lesson, 'is true in one session only', `widen it first: oncebitten lessons edit ${slug}`);
  if (scope.kind === 'project' && toProjectId(scope.id ?? '') !== toProjectId(project.id))
    throw refuse(
      lesson,
      `belongs to another project than ${project.root}`,
      'give the command in a folder of its project',
    );
}

export function refuse({ slug }: Pick<Lesson, 'slug'>, reason: string, next: string, cause?: unknown): UserError {
  return new UserError({ subject: `lesson ${slug}`, reason, next, cause });
}
