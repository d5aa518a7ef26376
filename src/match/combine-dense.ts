/**
 * Lessons of a dense tool that speak at one call are told as one (M9): what the tool is, those that speak, then the others
 * in a line each. One lesson alone is told as it is.
 */
import { groupBy } from '../base/group-by.ts';
import { type CompiledLesson, type CompiledSkill, toSkillKey } from '../base/manifest.ts';
import type { Match, Together } from './match-lessons.ts';
import type { Manifest } from './open-manifest.ts';
import { toHarmlessLine } from './to-harmless.ts';

/** May it be mentioned here? What is muted or withheld is not. */
type IsHeard = (lesson: CompiledLesson) => boolean;

/** `matches` are in order, best first: those that are told as one stand where the best of them stood. */
export function combineDense(
  matches: readonly Match[],
  manifest: Manifest,
  projectId: string,
  isHeard: IsHeard,
): readonly Match[] {
  if (manifest.header.skills === undefined || matches.length < 2) return matches;
  const byTool = groupBy(matches, ({ lesson }) => lesson.dense ?? '');
  return matches.flatMap((match) => {
    const { dense } = match.lesson;
    const members = dense === undefined ? [match] : (byTool.get(dense) ?? [match]);
    const skill = dense === undefined ? undefined : findSkill(manifest, projectId, dense);
    if (members.length < 2 || skill === undefined) return [match];
    if (members[0] !== match) return [];
    const together = toTogether(members, skill, manifest, isHeard);
    return members.map((member) => ({ ...member, together }));
  });
}

/** What is only mentioned is not claimed, and may be said later. Its words may be anybody's. */
function toTogether(members: readonly Match[], skill: CompiledSkill, manifest: Manifest, isHeard: IsHeard): Together {
  const speaking = new Set(members.map(({ lesson }) => lesson.id));
  const others = manifest.list(skill.lessons).filter((one) => !speaking.has(one.id) && isHeard(one));
  return { head: skill.head, beside: others.map(({ summary }) => `- ${toHarmlessLine(summary)}`) };
}

function findSkill({ header }: Manifest, projectId: string, tool: string): CompiledSkill | undefined {
  return header.skills?.[toSkillKey(projectId, tool)] ?? header.skills?.[toSkillKey('', tool)];
}
