/**
 * The lesson that a finding is more evidence of. `mayWiden` says of the id of another project whether its lesson may be
 * it, which makes that lesson one for every project.
 */
import type { Finding } from '../../base/finding.ts';
import type { LearnedForm, Lesson } from '../../base/lesson.ts';
import type { ToProjectId } from '../../base/project-alias.ts';
import { isSameChecklist } from '../../base/same-checklist.ts';
import type { Store } from '../../base/store.ts';
import { toMergeKey } from '../../distill/lesson/hash-lesson.ts';
import { isArchivedForGood } from '../../promote/archive-lesson.ts';

export async function findKnownLesson(
  store: Store,
  finding: Finding,
  toProjectId: ToProjectId,
  mayWiden: (projectId: string) => boolean = () => true,
): Promise<Lesson | undefined> {
  const here = toProjectId(finding.projectId);
  const isOnlyElsewhere = ({ scope }: Lesson): boolean =>
    scope.kind === 'project' && scope.id !== undefined && toProjectId(scope.id) !== here && !mayWiden(scope.id);
  const key = toMergeKey(finding, toProjectId(finding.projectId));
  const toKey = (form: LearnedForm, { origin }: Lesson): string =>
    toKnownKey(form, origin, form.scope.id && toProjectId(form.scope.id));
  const lessons = (await store.listLessons()).filter(
    (lesson) => !isOver(lesson) && !isFromElsewhere(lesson, finding, toProjectId) && !isOnlyElsewhere(lesson),
  );
  const found =
    lessons.find((lesson) => toKey(lesson, lesson) === key) ??
    lessons.find((lesson) => lesson.learnedAs?.some((form) => toKey(form, lesson) === key)) ??
    findChecklist(lessons, finding, toProjectId);
  return found && findSuccessor(found, lessons);
}

/** Nearly the same list, which holds here too, whatever made somebody write it down again. */
function findChecklist(
  lessons: readonly Lesson[],
  { body, projectId }: Finding,
  toProjectId: ToProjectId,
): Lesson | undefined {
  if (body === undefined || !('items' in body)) return undefined;
  const isHere = ({ scope }: Lesson): boolean =>
    scope.kind === 'user' || (scope.kind === 'project' && toProjectId(scope.id ?? '') === toProjectId(projectId));
  return lessons.find((lesson) => isHere(lesson) && isSameChecklist(lesson.body, body));
}

/** The store gives the same object as long as a lesson stays as it is, and every finding is compared with all of them. */
const keys = new WeakMap<LearnedForm, { readonly projectId: string | undefined; readonly key: string }>();

function toKnownKey(form: LearnedForm, origin: Lesson['origin'], projectId: string | undefined): string {
  const known = keys.get(form);
  if (known !== undefined && known.projectId === projectId) return known.key;
  const key = toMergeKey({ ...form, origin }, projectId);
  keys.set(form, { projectId, key });
  return key;
}

/** What only a file says, here or in another repository, must not swallow what is seen: that is learned on its own. */
function isFromElsewhere(lesson: Lesson, { projectId }: Finding, toProjectId: ToProjectId): boolean {
  if (lesson.file === undefined) return false;
  const isSilent = lesson.status === 'draft' || lesson.archival?.cause === 'removed';
  return isSilent || toProjectId(lesson.scope.id ?? '') !== toProjectId(projectId);
}

/** A session that was over may go on and meet the same trouble: that is learned anew, if no person said otherwise. */
function isOver(lesson: Lesson): boolean {
  return lesson.scope.kind === 'session' && lesson.status === 'archived' && !isArchivedForGood(lesson);
}

/** What was superseded is evidence of what took its place, as long as that is there. */
function findSuccessor(lesson: Lesson, lessons: readonly Lesson[]): Lesson {
  const seen = new Set<string>();
  let last = lesson;
  for (let next: Lesson | undefined = lesson; next !== undefined && !seen.has(next.id); ) {
    last = next;
    seen.add(last.id);
    const { supersededBy } = last.validity;
    next = supersededBy === undefined ? undefined : lessons.find(({ id }) => id === supersededBy);
  }
  return last;
}
