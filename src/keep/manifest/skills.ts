/**
 * Finds the tools with many lessons and compiles their skills for the manifest. A project's own lessons and the
 * user-wide ones count together.
 */

import { byWeight, type Lesson } from '../../base/model/lesson.ts';
import { toReach } from '../../base/model/lesson-scope.ts';
import { isUnconfirmed } from '../../base/model/lesson-trust.ts';
import { type CompiledLesson, type CompiledSkill, type FiringLesson, toSkillKey } from '../../base/model/manifest.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import { findToolTag, type Skill } from '../../base/model/skill.ts';

/** Lessons of a single session, and unconfirmed ones, do not count. With `minLessons` 0 there are no skills. */
export function listSkills(
  firing: readonly FiringLesson[],
  toProjectId: ToProjectId,
  minLessons: number,
): readonly Skill[] {
  if (minLessons === 0) return [];
  const lasting = firing.filter(
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
  const byProject = Map.groupBy(all, ({ scope }) => toReach(scope, toProjectId).projectId ?? '');
  const everyone = byProject.get('') ?? [];
  return [...byProject].map(([projectId, own]): Skill => {
    const applicable = projectId === '' ? own : [...own, ...everyone];
    return { projectId, tool, lessons: applicable.toSorted(byWeight) };
  });
}

function byName(a: Skill, b: Skill): number {
  return a.tool === b.tool ? (a.projectId < b.projectId ? -1 : 1) : a.tool < b.tool ? -1 : 1;
}

/** More have no room beside the lessons that fire, and every hook reads the list. */
const MAX_LISTED = 16;

/** The dense tools in the manifest, so that a call can deliver their lessons as one text. */
export function compileSkills(
  skills: readonly Skill[],
  firing: readonly FiringLesson[],
): Readonly<Record<string, CompiledSkill>> {
  const numbers = new Map(firing.map(({ lesson, sessionId }, n) => [sessionId === undefined ? lesson.id : '', n]));
  return Object.fromEntries(
    skills.map(({ projectId, tool, lessons }) => [
      toSkillKey(projectId, tool),
      {
        head: `${lessons.length} lessons about ${tool} from earlier work.`,
        lessons: lessons.slice(0, MAX_LISTED).flatMap(({ id }) => numbers.get(id) ?? []),
      },
    ]),
  );
}

/** Marks a lesson about a dense tool: if two of them fire on a call, they are delivered as one text. */
export function toDense(lesson: Lesson, dense: ReadonlySet<string>): Pick<CompiledLesson, 'dense'> {
  const tool = findToolTag(lesson);
  return tool !== undefined && dense.has(tool) ? { dense: tool } : {};
}
