/** The names and places of OpenCode. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'opencode',
  name: 'OpenCode',
  home: { env: 'XDG_DATA_HOME', folder: '.local/share' },
  config: { env: 'XDG_CONFIG_HOME', folder: '.config', inside: 'opencode' },
};
