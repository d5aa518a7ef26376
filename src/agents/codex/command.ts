/** Our commands in Codex: skills, which the user mentions with `$`. Codex sends no commands of one's own to the model. */
import type { AgentCommands } from '../../base/contracts/agent-command.ts';
import { renderSkill, toOwnName } from '../command-files.ts';
import { facts } from './facts.ts';

export const codexCommands: AgentCommands = {
  facts,
  toTyped: (name, place) => (place === 'plugin' ? `$oncebitten:${name}` : `$${toOwnName(name)}`),
  render(command, place) {
    const { name, description, notice, isForAgent } = command;
    const own = place === 'plugin' ? name : toOwnName(name);
    if (isForAgent) return renderSkill(command, own);
    return {
      ...renderSkill({ ...command, description: `${description}. Only when the user asks for it.` }, own),
      [`skills/${own}/agents/openai.yaml`]: `# ${notice}\npolicy:\n  allow_implicit_invocation: false\n`,
    };
  },
};
