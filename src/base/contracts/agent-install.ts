/**
 * SEAM: the installation of our hooks in a coding agent. An agent only states, as data, where its files are and what
 * they contain; the installer (`surfaces/install/`) edits them.
 */

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
  /** The agent keeps a list of single hooks that it does not run, or of those that it may run. */
  readonly skips?: HookSkips;
  readonly events: readonly HookEvent[];
  /** The agent's own limit for one hook, in the agent's unit. */
  readonly timeout: number;
  /** At its limit, the agent ends only the shell that runs the hook, and waits for the hook. Not on Windows. */
  readonly leavesChildren?: true;
  /** The agent, or another that runs its hooks, puts a here-document behind the command: it must hold for all of it. */
  readonly redirects?: true;
  /** Absent: the agent loads a program. */
  readonly windows?: WindowsHooks;
}

/** How the agent runs a hook on Windows. */
export interface WindowsHooks {
  /**
   * The shell that gets the command. `pipe`: PowerShell, with the payload from a pipe before the command, which must begin
   * with the quoted path of a program.
   */
  readonly shell: 'powershell' | 'cmd' | 'pipe';
  /** The key of the command. Absent: `command`. */
  readonly key?: 'powershell';
  /** The handler must name its shell with the key `shell`. */
  readonly isNamed?: true;
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

export interface HookSkips {
  /** The file with the list, in the folder of the agent's settings and in that folder of a project. */
  readonly file: string;
  /**
   * `contents`: of these files, as far as they exist, the user's first; the value of a JSON file, otherwise the text. Empty
   * if the agent runs all of these handlers.
   */
  list(handlers: readonly PlacedHandler[], contents: readonly unknown[]): readonly SkippedHooks[];
}

/** A handler of ours in a hooks file. */
export interface PlacedHandler {
  readonly event: string;
  /** The names of the hooks file: as given, and without symlinks. */
  readonly files: readonly string[];
  /** The indexes of the group in the event's list, and of the handler in the group. */
  readonly group: number;
  readonly index: number;
  readonly matcher?: string;
  readonly handler: Readonly<Record<string, unknown>>;
}

export interface SkippedHooks {
  readonly events: readonly string[];
  /** Why the agent skips them, behind "the hooks of Oncebitten". */
  readonly reason: string;
  /** What the user can do. */
  readonly next: string;
}

export interface HookEvent {
  readonly name: string;
  /** The agent does not wait for this hook, because there is no reply. */
  readonly async: boolean;
}

/**
 * A plugin with the same hooks and our commands, for people who install plugins rather than change settings. It is in a
 * folder with the agent's id, with `hooks/hooks.json` and the files of the commands.
 */
export interface AgentPlugin {
  /** The files that describe the plugin: path, relative to the folder that is given to `toCommands`, to JSON. */
  renderManifests(plugin: PluginContent): Readonly<Record<string, object>>;
  /** The file of the agent's settings folder that names the plugins which are on. Absent: the settings files. */
  readonly recordFile?: string;
  /** Does this file switch the plugin of this name on? */
  isOn(record: PluginRecord, name: string): boolean;
  /** The agent's own commands, as words, with which the user loads and removes the plugin. */
  toCommands(place: PluginPlace): PluginCommands;
}

export interface PluginContent {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The plugin's own folder, below the one that is given to `toCommands`. */
  readonly folder: string;
}

interface PluginRecord {
  readonly text: string;
  /** The text as JSON; empty where it is none. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface PluginPlace {
  readonly name: string;
  /** The folder that everything was written to. */
  readonly dir: string;
  /** The plugin's own folder. */
  readonly pluginDir: string;
}

interface PluginCommands {
  /** For one session. Empty: the agent cannot. */
  readonly once: readonly (readonly string[])[];
  readonly forGood: readonly (readonly string[])[];
  readonly undo: readonly (readonly string[])[];
}
