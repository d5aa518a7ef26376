/** Our commands and skills in Claude Code: the same texts in its home folder and in its plugin. */
import type { AgentCommands, CommandText } from '../../base/contracts/agent-command.ts';
import { renderMarkdown, renderSkill, toOwnName, toUserOnly } from '../command-files.ts';
import { facts } from './facts.ts';

export const claudeCodeCommands: AgentCommands = {
  facts,
  // The name of the plugin, or of the folder.
  toTyped: (name) => `/oncebitten:${name}`,
  render(command, place) {
    const { name, description, isForAgent } = command;
    // A skill that allows tools would need the user's permission to load.
    if (isForAgent) return renderSkill(command, place === 'plugin' ? name : toOwnName(name));
    const fields = { description, 'allowed-tools': toAllowedTools(command), ...toUserOnly(command) };
    return { [`commands/${place === 'plugin' ? '' : 'oncebitten/'}${name}.md`]: renderMarkdown(command, fields) };
  },
};

function toAllowedTools({ runs, writes }: CommandText): string {
  const commands = runs.flatMap((run) => [`oncebitten ${run}`, `~/.oncebitten/bin/oncebitten ${run}`]);
  return [...commands.map((command) => `Bash(${command}:*)`), ...writes.map((file) => `Edit(${file})`)].join(', ');
}
