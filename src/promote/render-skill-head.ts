/** How a skill file begins that is made for promoted lessons; the block stands below. */
import { toSkillName } from './render-skill.ts';

export function renderSkillHead(tool: string): string {
  const name = tool.replaceAll(/\s+/g, ' ').trim();
  const description = `What went wrong with ${name} before in this project, and what works. Use before running ${name}.`;
  return `---\nname: ${toSkillName(tool)}\ndescription: ${JSON.stringify(description)}\n---\n`;
}
