/** The agent whose past a person asked for, or an error that lists those there are. */
import { findHistory, HISTORIES } from '../../agents/histories.ts';
import type { AgentHistory } from '../../base/agent-history.ts';
import { UsageError } from './usage-error.ts';

export function getHistory(agent: string): AgentHistory {
  const history = findHistory(agent);
  if (history !== undefined) return history;
  throw new UsageError({
    subject: `agent ${agent}`,
    reason: 'has no sessions that Oncebitten can read',
    next: `use one of: ${HISTORIES.map((known) => known.agent).join(', ')}`,
  });
}
