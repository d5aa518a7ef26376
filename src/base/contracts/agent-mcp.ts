/**
 * SEAM: the MCP servers in the settings of a coding agent: the file that lists them, and the form of an entry. Pure
 * data and conversion; `surfaces/install/install-mcp.ts` reads and writes the file.
 */

import type { AgentFacts } from './agent-facts.ts';

export interface AgentMcp {
  readonly facts: AgentFacts;
  /** How the agent names itself to a server. */
  readonly clientName: RegExp;
  /**
   * The names of the file, in the folder of the agent's settings; the first that exists counts, else the first is made.
   */
  readonly files: readonly string[];
  /** The file is in the user's home folder, unless a variable names the folder of the settings. */
  readonly isInHome?: true;
  readonly format: 'json' | 'toml';
  /** The key of the object that has one entry for each server. */
  readonly key: string;
  /** The entry of a server that the agent starts. */
  toEntry(server: McpProgram): Readonly<Record<string, unknown>>;
  /** What the user has to do so that the agent uses the server. Absent: nothing. */
  readonly consent?: string;
}

interface McpProgram {
  readonly command: string;
  readonly args: readonly string[];
}
