/**
 * Chooses the files that promoted lessons are written to (those that the project uses, or the one that the user names),
 * the project of the command, and the text of a lesson in a file. The text of a lesson from outside contains no tags,
 * as at a call.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { Lesson } from '../../../../base/model/lesson.ts';
import { makeToProjectId, type ProjectAlias } from '../../../../base/model/project.ts';
import { findToolTag } from '../../../../base/model/skill.ts';
import { removeKnownTags, toHarmless } from '../../../../base/text/harmless-text.ts';
import { toRealPath } from '../../../../capture/projects/identify-project.ts';
import { identifyProject } from '../../../../loop/projects/find-project.ts';
import { renderPromotion } from '../../../../promote/promotions.ts';
import { renderSkillHead, toSkillName } from '../../../../promote/render-skill.ts';
import { DEFAULT_FILE, INSTRUCTION_FILES, SKILLS_FOLDER, TARGET_NAMES } from '../../agent-names.ts';
import { userError } from '../../errors.ts';

const MARKDOWN = new Set(['.md', '.mdc', '.markdown']);

/**
 * All that exist, each once, because a promoted lesson no longer fires for any agent. A file that is a link to another, or
 * imports it (`@AGENTS.md`), counts as that other.
 */
export function listUsedFiles(root: string): readonly string[] {
  const used = Object.values(INSTRUCTION_FILES).flatMap(
    (names) => names.find((name) => existsSync(join(root, name))) ?? [],
  );
  const byFile = new Map(used.toReversed().map((name) => [toIdentity(join(root, name)), name]));
  const files = used.filter((name) => [...byFile.values()].includes(name));
  return files.filter((name) => name === DEFAULT_FILE || !files.includes(DEFAULT_FILE) || !isImporting(root, name));
}

/** The same for all names of a file, links of both kinds. */
function toIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev} ${ino}`;
}

function isImporting(root: string, name: string): boolean {
  try {
    return /(?:^|\s)@(?:\.{0,2}\/)?AGENTS\.md(?:\s|$)/.test(readFileSync(join(root, name), 'utf8'));
  } catch {
    return false;
  }
}

/** From the root, with slashes. */
export function toTargetFile(target: string, lesson: Lesson, { root, cwd }: Place): string {
  const names = Object.hasOwn(INSTRUCTION_FILES, target) ? INSTRUCTION_FILES[target] : undefined;
  if (names !== undefined) return names.find((name) => existsSync(join(root, name))) ?? names[0] ?? DEFAULT_FILE;
  if (target === 'skill') return `${SKILLS_FOLDER}/${toSkillName(toTool(lesson))}/SKILL.md`;
  const path = resolve(cwd, target);
  const file = relative(root, join(toRealPath(dirname(path)), basename(path)));
  const next = `use --target ${TARGET_NAMES}, or a Markdown file of the project`;
  if (file === '' || file.startsWith('..') || resolve(file) === file)
    throw userError(`target ${target}`, `is not in ${root}`, next);
  // Not git's own folder, nor one of a submodule.
  if (file.split(sep).some((name) => name.toLowerCase() === '.git'))
    throw userError(`target ${target}`, 'is inside a folder of git, where no agent reads it', next);
  if (!MARKDOWN.has(extname(file).toLowerCase())) throw userError(`target ${target}`, 'is not a Markdown file', next);
  return file.split(sep).join('/');
}

/** What a file begins with that is made for a lesson. */
export function toFileHead(file: string, lesson: Lesson): string {
  return isSkillFile(file) ? renderSkillHead(toTool(lesson)) : '';
}

export function isSkillFile(file: string): boolean {
  return file.startsWith(`${SKILLS_FOLDER}/`) && file.endsWith('/SKILL.md');
}

function toTool(lesson: Lesson): string {
  return findToolTag(lesson) ?? lesson.triggers.programs?.[0]?.name ?? 'lessons';
}

export interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly projectId: string;
  /** Is it this project, under whatever id? */
  isHere(projectId: string): boolean;
}

/** The project that a command about promotions is given in. */
export function toPlace(cwd: string, aliases: readonly ProjectAlias[]): Place {
  const project = identifyProject(cwd);
  const toProjectId = makeToProjectId(aliases);
  const projectId = toProjectId(project.id);
  return { root: project.root, cwd, projectId, isHere: (id) => toProjectId(id) === projectId };
}

/** What a lesson says in a file: what came from outside has no tags in it, as at a call. */
export function toPromotedText(lesson: Lesson): string {
  const { origin, file, scope } = lesson;
  const isForeign = origin.trust === 'foreign' || origin.kind === 'import' || origin.kind === 'model';
  return renderPromotion(
    lesson,
    isForeign || file !== undefined || scope.kind === 'team' ? toHarmless : removeKnownTags,
  );
}
