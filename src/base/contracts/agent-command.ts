/**
 * SEAM: a command of ours in a coding agent, which a user types in a session. The agent states, as data, where its file
 * is and how it looks; the text that the model reads is the same for all (`surfaces/install/learn-command.ts`).
 */

import type { AgentFacts } from './agent-facts.ts';

export interface AgentCommand {
  readonly facts: AgentFacts;
  /** What the user types. */
  readonly typed: string;
  /** Path in the folder of the agent's settings -> text. */
  render(command: CommandText): Readonly<Record<string, string>>;
}

export interface CommandText {
  readonly description: string;
  /** Says that the file is ours; without it we neither replace nor remove a file. */
  readonly notice: string;
  /** What the model reads. */
  readonly text: string;
}
