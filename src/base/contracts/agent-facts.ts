/**
 * What is known about a coding agent, as data: names, places and sentences that general code needs. Its hooks, its past
 * sessions and its installation are contracts of their own (`agent-adapter.ts`, `agent-history.ts`, `agent-install.ts`);
 * an agent may have some of them and not the others. The hook loads these facts, so they contain no code.
 */

export interface AgentFacts {
  /** `claude-code`: the name on the command line, in tables and in hook commands. */
  readonly id: string;
  readonly name: string;
  readonly home: AgentHome;
  /** The folder of its settings. Absent: its home. */
  readonly config?: AgentHome;
  /** The environment variable of a hook that contains the agent's process id. */
  readonly processVariable?: string;
  /** Finds the repository's folder name, as the group `name`, in a path inside one of the agent's own worktrees. */
  readonly worktree?: RegExp;
  /** The project file that the agent reads at every session. */
  readonly instructions?: InstructionFile;
  /** The folder of a project in which the agent looks for skills. */
  readonly skillsFolder?: string;
}

/** A folder that an environment variable names, else one in the user's home. */
interface AgentHome {
  readonly env?: string;
  /** The variable replaces the user's home, and the folder is in it. */
  readonly isParent?: true;
  readonly folder: string;
  /** The agent's own folder in it, if others share the folder. */
  readonly inside?: string;
}

interface InstructionFile {
  /** The name of the file for `--target`. */
  readonly target: string;
  /** The places that the agent reads, from the root of the project. The first is made where none exists. */
  readonly files: readonly string[];
}
