/** What Copilot CLI is called and where its things are. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'copilot',
  name: 'Copilot CLI',
  home: { env: 'COPILOT_HOME', folder: '.copilot' },
};
