/** Finds the tools with many lessons: a project's own lessons and the user-wide ones count together. */
import { isUnconfirmed } from '../base/is-vouched-for.ts';
import type { Lesson } from '../base/lesson.ts';
import type { ToProjectId } from '../base/project-alias.ts';
import { findToolTag, type Skill } from '../base/skill.ts';
import type { Speaking } from './list-speaking.ts';

/** Lessons of a single session, and those that no person here confirmed, do not count. With `minLessons` 0 there are no skills. */
export function listSkills(
  speaking: readonly Speaking[],
  toProjectId: ToProjectId,
  minLessons: number,
): readonly Skill[] {
  if (minLessons === 0) return [];
  const lasting = speaking.filter(
    ({ lesson, sessionId }) => sessionId === undefined && lesson.scope.kind !== 'session' && !isUnconfirmed(lesson),
  );
  const byTool = Map.groupBy(
    lasting.map(({ lesson }) => lesson),
    (lesson) => findToolTag(lesson) ?? '',
  );
  byTool.delete('');
  return [...byTool]
    .flatMap(([tool, all]) => toSkills(tool, all, toProjectId).filter((skill) => skill.lessons.length >= minLessons))
    .sort(byName);
}

function toSkills(tool: string, all: readonly Lesson[], toProjectId: ToProjectId): readonly Skill[] {
  const byProject = Map.groupBy(all, ({ scope }) =>
    scope.kind === 'project' && scope.id !== undefined ? toProjectId(scope.id) : '',
  );
  const everyone = byProject.get('') ?? [];
  return [...byProject].map(([projectId, own]): Skill => {
    const heard = projectId === '' ? own : [...own, ...everyone];
    return { projectId, tool, lessons: heard.toSorted(byWeight) };
  });
}

function byWeight(a: Lesson, b: Lesson): number {
  return b.priority - a.priority || b.confidence - a.confidence || (a.slug < b.slug ? -1 : 1);
}

function byName(a: Skill, b: Skill): number {
  return a.tool === b.tool ? (a.projectId < b.projectId ? -1 : 1) : a.tool < b.tool ? -1 : 1;
}
