/** Which lesson of the store a replayed one is: the same text, or what the loop would take for the same mistake. */
import type { LearnedForm, Lesson } from '../../base/lesson.ts';
import type { ToProjectId } from '../../base/project-alias.ts';
import { toMergeKey } from '../../distill/lesson/hash-lesson.ts';

export function findStoredLesson(
  replayed: Lesson,
  stored: readonly Lesson[],
  toProjectId: ToProjectId,
): Lesson | undefined {
  const toKey = (form: LearnedForm, { origin }: Lesson): string =>
    toMergeKey({ ...form, origin }, form.scope.id && toProjectId(form.scope.id));
  const key = toKey(replayed, replayed);
  const tests: readonly ((lesson: Lesson) => boolean)[] = [
    (lesson) => toKey(lesson, lesson) === key,
    (lesson) => (lesson.learnedAs ?? []).some((form) => toKey(form, lesson) === key),
    ({ contentHash }) => contentHash === replayed.contentHash,
  ];
  // One that speaks before one that is put away.
  const inOrder = stored.toSorted((a, b) => Number(a.status === 'archived') - Number(b.status === 'archived'));
  for (const isSame of tests) {
    const found = inOrder.find(isSame);
    if (found !== undefined) return found;
  }
  return undefined;
}
