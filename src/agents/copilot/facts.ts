/** The names and places of Copilot CLI. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'copilot',
  name: 'Copilot CLI',
  home: { env: 'COPILOT_HOME', folder: '.copilot' },
};
