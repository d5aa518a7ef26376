/** Our commands and skills in Gemini CLI, which reads an extension as it reads its own folder. */
import type { AgentCommands } from '../../base/contracts/agent-command.ts';
import { renderSkill, toOwnName } from '../command-files.ts';
import { facts } from './facts.ts';

export const geminiCommands: AgentCommands = {
  facts,
  toTyped: (name) => `/oncebitten:${name}`,
  render(command) {
    const { name, description, notice, text, isForAgent } = command;
    if (isForAgent) return renderSkill(command, toOwnName(name));
    // In quotes of TOML that take every character as it is.
    const toml = `# ${notice}\ndescription = '${description}'\nprompt = '''\n${text}'''\n`;
    return { [`commands/oncebitten/${name}.toml`]: toml };
  },
};
