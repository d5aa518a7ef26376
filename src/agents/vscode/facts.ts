/** The names and places of VS Code's own agent. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'vscode',
  name: 'VS Code',
  home: { folder: '.vscode' },
};
