/** Finds the home folder of an agent on this machine. */
import { join } from 'node:path';
import type { AgentFacts } from '../base/contracts/agent-facts.ts';

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

export function toAgentHome({ home: own }: AgentFacts, { env, home }: Machine): string {
  // Agents treat an empty variable as absent.
  return (own.env && env[own.env]) || join(home, own.folder);
}
