/** The coding agents we know. Adding one is a folder here and a row in this list. */
import type { AgentAdapter } from '../base/contracts/agent-adapter.ts';
import { claudeCode } from './claude-code/hooks.ts';

export const AGENTS: readonly AgentAdapter[] = [claudeCode];

export function findAgent(id: string): AgentAdapter | undefined {
  return AGENTS.find((agent) => agent.facts.id === id);
}
