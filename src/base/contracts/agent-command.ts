/**
 * SEAM: our commands in a coding agent, which a user types in a session, and our skills, which the agent loads itself.
 * The agent states, as data, where their files are and how they look; the texts that the model reads are the same for all
 * (`surfaces/install/session-commands.ts`).
 */

import type { AgentFacts } from './agent-facts.ts';

export interface AgentCommands {
  readonly facts: AgentFacts;
  /** The text that the user types to call the command of this name. */
  toTyped(name: string, place: CommandPlace): string;
  /** Path in the folder of the agent's settings, or of our plugin -> text. */
  render(command: CommandText, place: CommandPlace): Readonly<Record<string, string>>;
}

/** Some agents put the name of the plugin before the name of each command in it. */
export type CommandPlace = 'settings' | 'plugin';

export interface CommandText {
  /** `learn`. */
  readonly name: string;
  /** One line without a colon, because it stands in YAML without quotes. */
  readonly description: string;
  /** Says that the file is ours; without it we neither replace nor remove a file. */
  readonly notice: string;
  /** What the model reads. */
  readonly text: string;
  /** Our own commands that may run without a question to the user, such as `lessons list`: they change no lesson. */
  readonly runs: readonly string[];
  /** Files that the agent may write without a question. */
  readonly writes: readonly string[];
  /** The agent loads it when it fits. Otherwise only the user calls it. */
  readonly isForAgent: boolean;
}
