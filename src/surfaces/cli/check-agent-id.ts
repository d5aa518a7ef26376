/** Throws unless rows of this agent can be in the store: one that has our hooks, runs them as a guest, or has a past. */
import { AGENTS } from '../../agents/agents.ts';
import { GUESTS } from '../../agents/find-caller.ts';
import { HISTORIES } from '../../agents/histories.ts';
import { UsageError } from './usage-error.ts';

export function checkAgentId(id: string): void {
  const known = [...AGENTS.map(({ facts }) => facts.id), ...GUESTS.map((guest) => guest.id)];
  const all = [...new Set([...known, ...HISTORIES.map(({ agent }) => agent)])].sort();
  if (all.includes(id)) return;
  throw new UsageError({
    subject: `agent ${id}`,
    reason: 'is not a known agent',
    next: `use one of: ${all.join(', ')}`,
  });
}
