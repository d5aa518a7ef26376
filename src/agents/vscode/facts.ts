/** What VS Code's own agent is called and where its things are. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'vscode',
  name: 'VS Code',
  home: { folder: '.vscode' },
};
