/**
 * SEAM: the installation of our hooks in a coding agent. An agent only states, as data, where its files are and what
 * they contain; the installer (`surfaces/install/`) edits them.
 */

import type { CommandText } from './agent-command.ts';
import type { AgentFacts } from './agent-facts.ts';

export interface AgentInstall {
  readonly facts: AgentFacts;
  /** The agent's program on the PATH, and the version in which these facts were observed. */
  readonly program: { readonly name: string; readonly seenVersion: string };
  readonly hooks: HookFiles;
  /** What the user must do before the agent runs new hooks. Absent: it runs them at once. */
  readonly consent?: string;
  /** Absent: the agent has no plugins that can contain hooks. */
  readonly plugin?: AgentPlugin;
  /** Known limits of the agent's hooks, in words for the user. */
  readonly limits: readonly string[];
}

/**
 * JSON files (comments and trailing commas allowed) with hooks in groups:
 * `{ "hooks": { "<event>": [ { "matcher": …, "hooks": [ { "type": "command", "command": …, "timeout": … } ] } ] } }`.
 */
interface HookFiles {
  /** Without groups: each hook is an item of the event's list. The number is the `version` that such a file must have. */
  readonly flat?: { readonly version: number };
  /** The agent loads a program instead of running commands: the file is ours as a whole. */
  readonly program?: HookProgram;
  /** In the folder of the agent's settings. */
  readonly userFile: string;
  /** The folder of a project that contains these files. Absent: the same name as the agent's home. */
  readonly projectFolder?: string;
  /** The personal file of a project, in that folder. */
  readonly projectFile: string;
  /** Further files of a project that the agent reads, such as the one that a team shares. */
  readonly sharedFiles: readonly string[];
  /** An administrator's file, by platform. */
  readonly managedFiles: Readonly<Record<string, string>>;
  /** Settings in these files that disable hooks. */
  readonly switches: readonly HookSwitch[];
  readonly events: readonly HookEvent[];
  /** The agent's own limit for one hook, in the agent's unit. */
  readonly timeout: number;
  /** At its limit, the agent ends only the shell that runs the hook, and waits for the hook. */
  readonly leavesChildren?: true;
}

export interface HookProgram {
  /** The text of the file below our notice. `hookFile`: from `toHookFile`. */
  render(hookFile: string): string;
  /** A script for Node that loads the file in its last argument, reports a call of this command, and prints the reply. */
  renderTrial(command: string, cwd: string): string;
}

interface HookSwitch {
  /** The path of a key, joined with dots. */
  readonly key: string;
  /** The value that disables our hooks. Absent: `true`. */
  readonly off?: boolean;
  /** The key counts only in the administrator's file. */
  readonly managedOnly: boolean;
}

export interface HookEvent {
  readonly name: string;
  /** The agent does not wait for this hook, because there is no reply. */
  readonly async: boolean;
}

/** A plugin with the same hooks, for people who install plugins rather than change settings. */
export interface AgentPlugin {
  /** Path, relative to the folder that is given to `toCommands`, to text. */
  render(plugin: PluginContent): Readonly<Record<string, string>>;
  /** The plugin's own folder below that one. */
  readonly folder: string;
  /** Do these settings of the agent switch the plugin of this name on? */
  isOn(settings: Readonly<Record<string, unknown>>, name: string): boolean;
  /** The agent's own commands, as words, with which the user loads and removes the plugin. */
  toCommands(place: PluginPlace): PluginCommands;
}

export interface PluginContent {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Why the plugin does nothing alone. */
  readonly note: string;
  /** Event -> groups, as they stand in a hooks file. */
  readonly hooks: Readonly<Record<string, readonly object[]>>;
  /** The command that a user types in a session. */
  readonly command: CommandText;
}

export interface PluginPlace {
  readonly name: string;
  /** The folder that everything was written to. */
  readonly dir: string;
  /** The plugin's own folder. */
  readonly pluginDir: string;
}

export interface PluginCommands {
  /** For one session. */
  readonly once: readonly (readonly string[])[];
  readonly forGood: readonly (readonly string[])[];
  readonly undo: readonly (readonly string[])[];
}
