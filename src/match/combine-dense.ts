/**
 * Lessons of a dense tool that speak at one call are told as one (M9): what the tool is, those that speak in full, then
 * the others in a line each, as far as they fit. One lesson alone is told as it is.
 */
import { type CompiledSkill, toSkillKey } from '../base/manifest.ts';
import type { Match } from './match-lessons.ts';
import type { Manifest } from './open-manifest.ts';

/** Room for what stands around the text. */
const MARGIN_BYTES = 512;
const BESIDE = 'Also known:';

/** `matches` are in order, and stay so: what is told as one stands where its best lesson stood. */
export function combineDense(matches: readonly Match[], manifest: Manifest, projectId: string): readonly Match[] {
  const { skills } = manifest.header;
  if (skills === undefined || matches.length < 2) return matches;
  const byTool = Map.groupBy(matches, ({ lesson }) => lesson.dense ?? '');
  return matches.flatMap((match) => {
    const { dense } = match.lesson;
    const members = dense === undefined ? [match] : (byTool.get(dense) ?? [match]);
    const skill = dense === undefined ? undefined : findSkill(manifest, projectId, dense);
    if (members.length < 2 || skill === undefined) return [match];
    return members[0] === match ? [combine(members, skill, manifest)] : [];
  });
}

/** What a member of the skill says that is no lesson of this call is not claimed, and may be said again. */
function combine(members: readonly Match[], skill: CompiledSkill, manifest: Manifest): Match {
  const [first] = members;
  if (first === undefined) throw new Error('a skill without lessons');
  const speaking = new Set(members.map(({ lesson }) => lesson.id));
  const others = manifest.list(skill.lessons).filter(({ id }) => !speaking.has(id));
  const budget = manifest.header.settings.injectionBudgetBytes - MARGIN_BYTES;
  const text = fill(budget, [
    skill.head,
    ...members.map(({ lesson }) => [lesson.text, lesson.summary] as const),
    ...others.map(({ summary }, n) => `${n === 0 ? `${BESIDE}\n` : ''}- ${summary}`),
  ]);
  return { ...first, lesson: { ...first.lesson, text }, members };
}

function findSkill({ header }: Manifest, projectId: string, tool: string): CompiledSkill | undefined {
  return header.skills?.[toSkillKey(projectId, tool)] ?? header.skills?.[toSkillKey('', tool)];
}

/** One part to a line, each in the longest form that fits; what fits in none is left out. */
function fill(budgetBytes: number, parts: readonly (string | readonly string[])[]): string {
  const lines: string[] = [];
  let left = budgetBytes;
  for (const part of parts) {
    const text = (typeof part === 'string' ? [part] : part).find((form) => Buffer.byteLength(form) < left);
    if (text === undefined) continue;
    lines.push(text);
    left -= Buffer.byteLength(text) + 1;
  }
  return lines.join('\n');
}
