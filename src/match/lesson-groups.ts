/**
 * The lessons of a dense tool that fire on one call, delivered as one text: a line about the tool, the lessons that
 * fire, and one line for each other lesson about the tool.
 */

import { type CompiledLesson, type CompiledSkill, toSkillKey } from '../base/model/manifest.ts';
import { groupBy } from '../base/records.ts';
import { toHarmlessLine } from '../base/text/harmless-text.ts';
import type { Manifest } from './manifest.ts';
import type { LessonGroupText, Match } from './match-lessons.ts';

/** May the lesson be mentioned here? A muted or withheld lesson may not. */
type MayMention = (lesson: CompiledLesson) => boolean;

/**
 * Delivers the lessons of a dense tool that fire on one call as one text: first the tool, then the lessons that fire,
 * then one line for each other lesson. A single lesson stays as it is. `matches` are ordered, best first; the group
 * takes the position of its best lesson.
 */
export function combineDense(
  matches: readonly Match[],
  manifest: Manifest,
  projectId: string,
  mayMention: MayMention,
): readonly Match[] {
  if (manifest.header.skills === undefined || matches.length < 2) return matches;
  const byTool = groupBy(matches, ({ lesson }) => lesson.dense ?? '');
  return matches.flatMap((match) => {
    const { dense } = match.lesson;
    const members = dense === undefined ? [match] : (byTool.get(dense) ?? [match]);
    const skill = dense === undefined ? undefined : findSkill(manifest, projectId, dense);
    if (members.length < 2 || skill === undefined) return [match];
    if (members[0] !== match) return [];
    const together = toGroupText(members, skill, manifest, mayMention);
    return members.map((member) => ({ ...member, together }));
  });
}

/** A lesson that is only mentioned is not claimed and may be shown later. Its words may come from outside. */
function toGroupText(
  members: readonly Match[],
  skill: CompiledSkill,
  manifest: Manifest,
  mayMention: MayMention,
): LessonGroupText {
  const firing = new Set(members.map(({ lesson }) => lesson.id));
  const others = manifest.list(skill.lessons).filter((one) => !firing.has(one.id) && mayMention(one));
  return { head: skill.head, alsoKnown: others.map(({ summary }) => `- ${toHarmlessLine(summary)}`) };
}

function findSkill({ header }: Manifest, projectId: string, tool: string): CompiledSkill | undefined {
  return header.skills?.[toSkillKey(projectId, tool)] ?? header.skills?.[toSkillKey('', tool)];
}

interface Part {
  readonly match: Match;
  readonly text: string;
}

type Fits<T> = (parts: readonly T[]) => boolean;

const BESIDE = 'Also known:';

/**
 * Adds the texts around the lessons of a group: a line before the first and other known lessons after the last. The
 * lessons take precedence; the added texts are left out if they do not fit.
 */
export function frameGroups<T extends Part>(parts: readonly T[], fits: Fits<T>): readonly T[] {
  let all = parts;
  for (const [together, members] of groupBy(parts, ({ match }) => match.together)) {
    if (together === undefined || members.length < 2) continue;
    all = change(all, findPlace(all, together, 'first'), (text) => `${together.head}\n${text}`, fits);
    let head = `\n\n${BESIDE}`;
    for (const line of together.alsoKnown) {
      const begin = head;
      const more = change(all, findPlace(all, together, 'last'), (text) => `${text}${begin}\n${line}`, fits);
      if (more !== all) head = '';
      all = more;
    }
  }
  return all;
}

function findPlace(parts: readonly Part[], together: LessonGroupText, which: 'first' | 'last'): number {
  const isMember = ({ match }: Part): boolean => match.together === together;
  return which === 'first' ? parts.findIndex(isMember) : parts.findLastIndex(isMember);
}

/** Returns the same list if the changed text does not fit. */
function change<T extends Part>(
  parts: readonly T[],
  at: number,
  toText: (text: string) => string,
  fits: Fits<T>,
): readonly T[] {
  const changed = parts.map((one, i) => (i === at ? { ...one, text: toText(one.text) } : one));
  return fits(changed) ? changed : parts;
}
