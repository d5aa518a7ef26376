/**
 * Writes the skill files of tools with many lessons: `skills/<user or project>/<tool>/SKILL.md` in the data directory,
 * beside the manifest. Removes a file without lessons, and does not touch a file that would not change.
 */

import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Skill } from '../base/model/skill.ts';
import { renderSkill, toSkillName } from '../promote/render-skill.ts';
import { writeOwnFile } from './home/write-file.ts';

/** Writes the skill files for people and agents. Hooks do not need them. */
export function keepSkills(manifestFile: string, skills: readonly Skill[]): void {
  try {
    writeSkills(toSkillsDir(manifestFile), skills);
  } catch {
    // The disk is full or read-only. Hooks take their texts from the manifest, so nothing is lost.
  }
}

const SKILL_FILE = 'SKILL.md';
const EVERYONE = 'user';

/** The skills folder is beside the manifest. */
function toSkillsDir(manifestFile: string): string {
  return join(dirname(manifestFile), 'skills');
}

export function writeSkills(skillsDir: string, skills: readonly Skill[]): void {
  const wanted = new Map(skills.map((skill) => [toFile(skillsDir, skill), skill]));
  for (const file of listFiles(skillsDir).filter((one) => !wanted.has(one))) removeSkill(skillsDir, file);
  for (const [file, skill] of wanted) {
    const text = renderSkill(skill);
    if (readText(file) !== text) writeOwnFile(file, text);
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

/** Removes the file and the folders that become empty; files of the user stay. */
function removeSkill(skillsDir: string, file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(join(file, '..'));
    rmdirSync(join(file, '../..'));
    rmdirSync(skillsDir);
  } catch {
    // The folder is not empty.
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
