/** The forms of command files that several agents share: Markdown below a front matter, and skills. */
import type { AgentCommands, CommandText } from '../base/contracts/agent-command.ts';
import type { AgentFacts } from '../base/contracts/agent-facts.ts';

/** For agents in which all commands and skills share one space of names. */
export const toOwnName = (name: string): string => `oncebitten-${name}`;

/** For agents that read a command from a Markdown file in the folder `commands`. */
export function makeMarkdownCommands(facts: AgentFacts): AgentCommands {
  return {
    facts,
    toTyped: (name) => `/${toOwnName(name)}`,
    render(command) {
      const { name, description, isForAgent } = command;
      if (isForAgent) return renderSkill(command, toOwnName(name));
      return { [`commands/${toOwnName(name)}.md`]: renderMarkdown(command, { description }) };
    },
  };
}

/** Fields without a value are left out. */
export function renderMarkdown(
  { notice, text }: CommandText,
  fields: Readonly<Record<string, string | undefined>>,
): string {
  const rows = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`]));
  return `---\n# ${notice}\n${rows.join('\n')}\n---\n\n${text}`;
}

/** `more`: further fields of the agent. */
export function renderSkill(
  command: CommandText,
  name: string,
  more: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> {
  return { [`skills/${name}/SKILL.md`]: renderMarkdown(command, { name, description: command.description, ...more }) };
}

/** Of a skill that only the user calls. */
export function toUserOnly({ isForAgent }: CommandText): Readonly<Record<string, string | undefined>> {
  return { 'disable-model-invocation': isForAgent ? undefined : 'true' };
}
