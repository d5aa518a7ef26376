/** Our command in OpenCode. */
import type { AgentCommand } from '../../base/contracts/agent-command.ts';
import { facts } from './facts.ts';

export const opencodeCommand: AgentCommand = {
  facts,
  typed: '/oncebitten-learn',
  render: ({ description, notice, text }) => ({
    'commands/oncebitten-learn.md': `---
# ${notice}
description: ${description}
---

${text}`,
  }),
};
