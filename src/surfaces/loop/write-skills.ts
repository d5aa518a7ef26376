/**
 * Keeps the files of dense tools up to date: `skills/<user or project>/<tool>/SKILL.md` in the data directory. A file
 * whose lessons are gone is removed; one that would not change is not touched.
 */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Skill } from '../../base/skill.ts';
import { renderSkill, toSkillName } from '../../promote/render-skill.ts';
import { writeOwnFile } from '../write-own-file.ts';

export const SKILL_FILE = 'SKILL.md';
const EVERYONE = 'user';

/** Beside the manifest that they come with. */
export function toSkillsDir(manifestFile: string): string {
  return join(dirname(manifestFile), 'skills');
}

export function writeSkills(skillsDir: string, skills: readonly Skill[]): void {
  const wanted = new Map(skills.map((skill) => [toFile(skillsDir, skill), skill]));
  for (const file of listFiles(skillsDir).filter((one) => !wanted.has(one))) remove(skillsDir, file);
  for (const [file, skill] of wanted) {
    const text = renderSkill(skill);
    if (find(file) !== text) writeOwnFile(file, text);
  }
}

function toFile(skillsDir: string, { projectId, tool }: Skill): string {
  return join(skillsDir, projectId || EVERYONE, toSkillName(tool), SKILL_FILE);
}

function listFiles(skillsDir: string): readonly string[] {
  if (!existsSync(skillsDir)) return [];
  return readdirSync(skillsDir, { recursive: true, encoding: 'utf8' })
    .map((path) => join(skillsDir, path))
    .filter((path) => path.endsWith(SKILL_FILE));
}

/** Folders that are empty then go too; what a person put beside the file stays. */
function remove(skillsDir: string, file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(join(file, '..'));
    rmdirSync(join(file, '../..'));
    rmdirSync(skillsDir);
  } catch {
    // Not empty.
  }
}

function find(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
