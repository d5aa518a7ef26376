/**
 * SEAM: our program inside a coding agent that loads plugins into its own process instead of running a command for each
 * event. It translates between the agent's plugin interface and the events of the agent's adapter. It runs in the agent's
 * process, on the agent's own runtime: a mistake here is a mistake of the agent.
 */

import type { AgentFacts } from './agent-facts.ts';

export interface AgentProgram {
  readonly facts: AgentFacts;
  /** What the agent gets from our plugin. `input`: what the agent gives a plugin. */
  open(input: unknown, line: DaemonLine): object;
}

/** One connection to the daemon for the whole session. */
export interface DaemonLine {
  /** The reply to an event of the adapter, empty for silence. Never rejects, and waits for a bounded time. */
  ask(eventName: string, payload: object): Promise<string>;
}
