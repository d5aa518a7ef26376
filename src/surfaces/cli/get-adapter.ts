/** The agent that a person named, or an error that lists those there are, and says what we can do for this one. */
import { AGENTS, findAgent } from '../../agents/agents.ts';
import { findHistory } from '../../agents/histories.ts';
import type { AgentAdapter } from '../../base/agent-adapter.ts';
import { UsageError } from './usage-error.ts';

export function getAdapter(id: string): AgentAdapter {
  const adapter = findAgent(id);
  if (adapter !== undefined) return adapter;
  const known = AGENTS.map((agent) => agent.facts.id).join(', ');
  if (findHistory(id) === undefined)
    throw new UsageError({ subject: `agent ${id}`, reason: 'is not a known agent', next: `use one of: ${known}` });
  throw new UsageError({
    subject: `agent ${id}`,
    reason: 'has no hooks of ours yet: we learn from its sessions, but cannot speak to it',
    next: `read its sessions: oncebitten scan --agent ${id}; agents that can be installed: ${known}`,
  });
}
