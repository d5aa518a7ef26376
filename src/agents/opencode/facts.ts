/** What is fixed about OpenCode. */
import type { AgentHome } from '../../base/contracts/agent-history.ts';

export const facts = {
  id: 'opencode',
  name: 'OpenCode',
  home: { env: 'XDG_DATA_HOME', folder: '.local/share' },
} as const satisfies { readonly id: string; readonly name: string; readonly home: AgentHome };
