/**
 * Renders a skill as a SKILL.md, for agents that know skills and for people, and the head of a skill file for promoted
 * lessons. A skill has frontmatter, the commands it is about, and one section for each lesson. The same lessons give
 * the same bytes.
 */

import { hashText } from '../base/ids.ts';
import { type Lesson, toLevel } from '../base/model/lesson.ts';
import type { Skill } from '../base/model/skill.ts';
import { toShortChars } from '../base/text/short-text.ts';
import type { ProgramTrigger } from '../base/triggers/trigger.ts';

/** Agents cut longer descriptions. */
const MAX_DESCRIPTION_CHARS = 600;

export function renderSkill(skill: Skill): string {
  const { tool, lessons } = skill;
  const summaries = lessons.map(({ summary }) => toLine(summary)).join(' ');
  const description = `What went wrong with ${tool} before, and what works. Use before running ${tool}. ${summaries}`;
  return [
    '---',
    `name: ${toSkillName(tool)}`,
    `description: ${JSON.stringify(cut(description))}`,
    '---',
    '',
    `# ${toLine(tool)}: ${lessons.length} lessons from earlier work`,
    '',
    '<!-- Written by oncebitten from its lessons, and written again when they change: edit the lessons, not this file. -->',
    '',
    '## Commands',
    '',
    ...listPatterns(lessons).map((pattern) => `- \`${pattern}\``),
    ...lessons.flatMap(renderSection),
    '',
  ].join('\n');
}

/** `c++` and `c#` must differ, so a name that loses characters gets a hash. */
export function toSkillName(tool: string): string {
  const plain = tool
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const rest = plain === tool ? '' : `-${hashText(tool).slice(0, 4)}`;
  return `oncebitten-${plain || 'tool'}${rest}`;
}

function renderSection(lesson: Lesson): readonly string[] {
  const { slug, summary, mistake, remediation, priority } = lesson;
  return [
    '',
    `## ${toLine(summary)}`,
    '',
    `${toLevel(priority)}, \`${toLine(slug)}\``,
    ...(mistake === '' ? [] : ['', `What went wrong: ${toPlainLines(mistake)}`]),
    ...(remediation === '' ? [] : ['', `What works: ${toPlainLines(remediation)}`]),
  ];
}

/** The commands on which these lessons fire, each once. */
function listPatterns(lessons: readonly Lesson[]): readonly string[] {
  const programs = lessons.flatMap(({ triggers }) => triggers.programs ?? []);
  const lines = lessons.flatMap(({ triggers }) => [
    ...(triggers.command?.match ?? []),
    ...(triggers.line?.match ?? []),
    ...(triggers.paths ?? []),
  ]);
  return [
    ...new Set([...programs.map(renderPattern), ...lines].map((pattern) => toLine(pattern).replaceAll('`', "'"))),
  ];
}

function renderPattern({ name, sub, args }: ProgramTrigger): string {
  const some = args?.any === undefined ? [] : [args.any.join('|')];
  return [name, ...(sub ?? []), ...(args?.all ?? []), ...some].join(' ');
}

/** Keeps line breaks, but no line can be a heading or end the frontmatter. */
function toPlainLines(text: string): string {
  return text.replaceAll(/^(?=\s*(?:#|---))/gm, '    ');
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function cut(text: string): string {
  return toShortChars(text, MAX_DESCRIPTION_CHARS);
}

/** The beginning of a skill file that is created for promoted lessons; the block follows. */
export function renderSkillHead(tool: string): string {
  const name = tool.replaceAll(/\s+/g, ' ').trim();
  const description = `What went wrong with ${name} before in this project, and what works. Use before running ${name}.`;
  return `---\nname: ${toSkillName(tool)}\ndescription: ${JSON.stringify(description)}\n---\n`;
}
