/** Dense tools in the manifest: what a call needs to tell their lessons as one. */
import type { Lesson } from '../base/lesson.ts';
import { type CompiledLesson, type CompiledSkill, toSkillKey } from '../base/manifest.ts';
import { findToolTag, type Skill } from '../base/skill.ts';
import type { Speaking } from './list-speaking.ts';

/** More do not fit beside those that speak, and every hook reads the list. */
const MAX_LISTED = 16;

export function compileSkills(
  skills: readonly Skill[],
  speaking: readonly Speaking[],
): Readonly<Record<string, CompiledSkill>> {
  const numbers = new Map(speaking.map(({ lesson, sessionId }, n) => [sessionId === undefined ? lesson.id : '', n]));
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

/** Lessons about a dense tool say so: where two of them speak, they speak as one. */
export function toDense(lesson: Lesson, dense: ReadonlySet<string>): Pick<CompiledLesson, 'dense'> {
  const tool = findToolTag(lesson);
  return tool !== undefined && dense.has(tool) ? { dense: tool } : {};
}
