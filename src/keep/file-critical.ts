/**
 * CRITICAL lessons that new sessions hear of, filed under keys of their own: a session's start reads these and no others.
 * Of many only the weightiest: more than are told, because some may be muted.
 */
import { byWeight } from '../base/by-weight.ts';
import { toLevel } from '../base/lesson.ts';
import { toCriticalKey } from '../base/manifest.ts';
import type { ToProjectId } from '../base/project-alias.ts';
import type { Speaking } from './list-speaking.ts';

const MOST = 25;

/** Key -> numbers of the lessons. What is true in one session only is none of them. */
export function fileCritical(
  speaking: readonly Speaking[],
  toProjectId: ToProjectId,
): Readonly<Record<string, number[]>> {
  const critical = [...speaking.entries()].filter(([, { lesson, sessionId }]) => {
    return toLevel(lesson.priority) === 'CRITICAL' && sessionId === undefined && lesson.scope.kind !== 'session';
  });
  const byKey = Map.groupBy(
    critical,
    ([
      ,
      {
        lesson: { scope },
      },
    ]) => toCriticalKey(scope.kind === 'project' && scope.id !== undefined ? toProjectId(scope.id) : ''),
  );
  return Object.fromEntries(
    [...byKey].map(([key, all]) => {
      const ranked = all.toSorted(([, a], [, b]) => byWeight(a.lesson, b.lesson));
      return [key, ranked.slice(0, MOST).map(([n]) => n)];
    }),
  );
}
