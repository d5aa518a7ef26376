/** How many lessons wait for a person, by project; under the empty string those of no project. */
import { isWaiting } from '../base/is-waiting.ts';
import type { Lesson } from '../base/lesson.ts';
import type { ToProjectId } from '../base/project-alias.ts';

export function countDrafts(lessons: readonly Lesson[], toProjectId: ToProjectId): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { scope } of lessons.filter(isWaiting)) {
    const id = scope.kind === 'project' && scope.id !== undefined ? toProjectId(scope.id) : '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
