/**
 * The same lesson in several scopes, by name or by content, is said once, by the nearest: session, project (store), project
 * (repository), user, team. Elsewhere the others still speak. What nobody here confirmed comes behind what is the user's:
 * a repository must not silence that with a lesson of its name.
 */
import type { Lesson } from '../base/lesson.ts';
import type { ToProjectId } from '../base/project-alias.ts';
import { isUnconfirmed } from './to-advising.ts';

export interface Precedence {
  readonly lesson: Lesson;
  /** Projects and sessions in which a nearer one speaks for it. */
  readonly notIn?: readonly string[];
}

export function decidePrecedence(lessons: readonly Lesson[], toProjectId: ToProjectId): readonly Precedence[] {
  const twins = groupTwins(lessons);
  if (twins.size === 0) return lessons.map((lesson) => ({ lesson }));
  return lessons.flatMap((lesson) => {
    const nearer = (twins.get(lesson) ?? []).filter((one) => toRank(one) < toRank(lesson));
    if (nearer.some((one) => covers(one, lesson, toProjectId))) return [];
    const notIn = nearer.flatMap(({ scope }) => (scope.id === undefined ? [] : [toPlace(scope, toProjectId)]));
    return [notIn.length === 0 ? { lesson } : { lesson, notIn: [...new Set(notIn)] }];
  });
}

/** Of each lesson that has some. */
function groupTwins(lessons: readonly Lesson[]): ReadonlyMap<Lesson, readonly Lesson[]> {
  const byKey = new Map<string, Lesson[]>();
  for (const lesson of lessons) {
    for (const key of [`#${lesson.contentHash}`, lesson.file?.slug ?? lesson.slug]) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [lesson]);
      else known.push(lesson);
    }
  }
  const twins = new Map<Lesson, Lesson[]>();
  for (const group of byKey.values()) {
    if (group.length < 2) continue;
    for (const lesson of group)
      twins.set(lesson, [...(twins.get(lesson) ?? []), ...group.filter((one) => one !== lesson)]);
  }
  return twins;
}

/** The nearest first. */
function toRank(lesson: Lesson): number {
  const { scope, file } = lesson;
  if (scope.kind === 'session') return 0;
  if (scope.kind === 'project' && file === undefined) return 1;
  if (scope.kind === 'project') return isUnconfirmed(lesson) ? 4 : 2;
  return scope.kind === 'user' ? 3 : 5;
}

/** Wherever the one speaks, the other would. */
function covers({ scope: near }: Lesson, { scope: far }: Lesson, toProjectId: ToProjectId): boolean {
  if (near.kind === 'user') return true;
  return near.kind === 'project' && far.kind === 'project' && toProjectId(near.id ?? '') === toProjectId(far.id ?? '');
}

function toPlace({ kind, id = '' }: Lesson['scope'], toProjectId: ToProjectId): string {
  return kind === 'project' ? toProjectId(id) : id;
}
