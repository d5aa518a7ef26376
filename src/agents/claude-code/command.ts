/** Our command in Claude Code: the same file in its home folder and in its plugin. */
import type { AgentCommand, CommandText } from '../../base/contracts/agent-command.ts';
import { facts } from './facts.ts';

export const claudeCodeCommand: AgentCommand = {
  facts,
  typed: '/oncebitten:learn',
  render: (command) => ({ 'commands/oncebitten/learn.md': renderFile(command) }),
};

/** Only the user may call it: an agent that decides by itself would send what nobody asked it to read. */
export function renderFile({ description, notice, text }: CommandText): string {
  return `---
# ${notice}
description: ${description}
allowed-tools: Bash(oncebitten learn:*), Bash(~/.oncebitten/bin/oncebitten learn:*), Edit(.oncebitten-answer.json)
disable-model-invocation: true
---

${text}`;
}
