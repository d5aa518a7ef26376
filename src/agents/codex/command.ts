/** Our skill in Codex, which the user mentions with `$`: Codex has no commands of one's own that reach the model. */
import type { AgentCommand } from '../../base/contracts/agent-command.ts';
import { facts } from './facts.ts';

const NAME = 'oncebitten-learn';

export const codexCommand: AgentCommand = {
  facts,
  typed: `$${NAME}`,
  render: ({ description, notice, text }) => ({
    [`skills/${NAME}/SKILL.md`]: `---
# ${notice}
name: ${NAME}
description: ${description}. Only when the user asks for it.
---

${text}`,
    // Only the user may call it.
    [`skills/${NAME}/agents/openai.yaml`]: `# ${notice}
policy:
  allow_implicit_invocation: false
`,
  }),
};
