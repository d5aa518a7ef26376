/** Which tools are dense (M9): five or more lessons that speak in a project, its own and everyone's together. */
import type { Lesson } from '../base/lesson.ts';
import type { ToProjectId } from '../base/project-alias.ts';
import { findToolTag, type Skill } from '../base/skill.ts';
import type { Speaking } from './list-speaking.ts';

export const DENSE = 5;

/** What speaks in one session only is none of a tool's lessons. */
export function listSkills(speaking: readonly Speaking[], toProjectId: ToProjectId): readonly Skill[] {
  const lasting = speaking.filter(
    ({ lesson, sessionId }) => sessionId === undefined && lesson.scope.kind !== 'session',
  );
  const byTool = Map.groupBy(
    lasting.map(({ lesson }) => lesson),
    (lesson) => findToolTag(lesson) ?? '',
  );
  byTool.delete('');
  return [...byTool].flatMap(([tool, all]) => toSkills(tool, all, toProjectId)).sort(byName);
}

function toSkills(tool: string, all: readonly Lesson[], toProjectId: ToProjectId): readonly Skill[] {
  if (all.length < DENSE) return [];
  const byProject = Map.groupBy(all, ({ scope }) =>
    scope.kind === 'project' && scope.id !== undefined ? toProjectId(scope.id) : '',
  );
  const everyone = byProject.get('') ?? [];
  return [...byProject]
    .map(([projectId, own]): Skill => {
      const heard = projectId === '' ? own : [...own, ...everyone];
      return { projectId, tool, lessons: heard.toSorted(byWeight) };
    })
    .filter((skill) => skill.lessons.length >= DENSE);
}

function byWeight(a: Lesson, b: Lesson): number {
  return b.priority - a.priority || b.confidence - a.confidence || (a.slug < b.slug ? -1 : 1);
}

function byName(a: Skill, b: Skill): number {
  return a.tool === b.tool ? (a.projectId < b.projectId ? -1 : 1) : a.tool < b.tool ? -1 : 1;
}
