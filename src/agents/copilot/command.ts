/** Our commands in Copilot CLI: skills, also those that only the user calls. */
import type { AgentCommands } from '../../base/contracts/agent-command.ts';
import { renderSkill, toOwnName, toUserOnly } from '../command-files.ts';
import { facts } from './facts.ts';

export const copilotCommands: AgentCommands = {
  facts,
  toTyped: (name) => `/${toOwnName(name)}`,
  render: (command) => renderSkill(command, toOwnName(command.name), toUserOnly(command)),
};
