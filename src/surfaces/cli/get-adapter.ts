/** The agent that a person named, or an error that lists those there are. */
import { AGENTS, findAgent } from '../../agents/agents.ts';
import type { AgentAdapter } from '../../base/agent-adapter.ts';
import { UserError } from '../../base/errors.ts';

export function getAdapter(id: string): AgentAdapter {
  const adapter = findAgent(id);
  if (adapter !== undefined) return adapter;
  throw new UserError({
    subject: `agent ${id}`,
    reason: 'is not one we know',
    next: `use one of: ${AGENTS.map((agent) => agent.facts.id).join(', ')}`,
  });
}
