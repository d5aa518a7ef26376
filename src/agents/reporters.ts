/**
 * Clients without hooks that report their own calls to the daemon. Apart from `hooks.ts`, because every hook loads that
 * file and no hook reads these reports.
 */
import type { AgentAdapter, HookCaller } from '../base/contracts/agent-adapter.ts';
import { mcp } from './mcp/hooks.ts';

export const REPORTERS: readonly AgentAdapter[] = [mcp];

export function findReporter(id: string): HookCaller | undefined {
  const reporter = REPORTERS.find(({ facts }) => facts.id === id);
  return reporter && { ...reporter, id, silence: '' };
}
