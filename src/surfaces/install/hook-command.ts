/**
 * Makes the hook file path, shell command and settings handler that an agent runs for one event, recognizes our
 * commands, and writes an agent's plugin with the same hooks. The command cannot fail (without a hook file it exits with
 * 0), and it is the same in every version, because some agents ask for trust again when a command changes.
 */

import { join, resolve } from 'node:path';
import { INSTALLS } from '../../agents/installs.ts';
import type { AgentInstall, AgentPlugin, HookEvent, PluginPlace } from '../../base/contracts/agent-install.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { LEARN_COMMAND } from './learn-command.ts';

/** The hook file of the default data directory. The shell fills in the home folder, so the command suits every user. */
export const DEFAULT_HOOK_FILE = '$HOME/.oncebitten/bin/hook';

const ESCAPED_CHARACTERS = /["$`\\]/g;
// Whole and exact: a looser pattern would one day take out a hook that somebody else wrote.
const OUR_COMMAND =
  /^\[ -x "(\$HOME\/\.oncebitten\/bin\/hook|\/(?:[^"$`\\]|\\["$`\\])*?(?<=\/)bin\/hook)" \] && (?:\{ )?"\1" [a-z][a-z0-9-]* [A-Za-z][A-Za-z0-9_-]*(?: <&3 & trap "kill \$!" TERM; wait \$!; \} 3<&0)? \|\| :$/;

/** `hookFile` is `DEFAULT_HOOK_FILE` or an absolute path that ends in `/bin/hook`. */
export function toHookCommand(hookFile: string, agentId: string, eventName: string): string {
  const quoted = `"${hookFile === DEFAULT_HOOK_FILE ? hookFile : hookFile.replace(ESCAPED_CHARACTERS, '\\$&')}"`;
  const run = `${quoted} ${agentId} ${eventName}`;
  const { leavesChildren } = INSTALLS.find(({ facts }) => facts.id === agentId)?.hooks ?? {};
  // In the background, a shell can be ended while its hook runs, and ends the hook. Without `3<&0` the hook could not read.
  const ended = leavesChildren ? `{ ${run} <&3 & trap "kill $!" TERM; wait $!; } 3<&0` : run;
  const command = `[ -x ${quoted} ] && ${ended} || :`;
  // We must recognize the command later, to remove it.
  if (!isOurCommand(command)) throw new Error(`not a hook command of ours: ${command}`);
  return command;
}

/** Ours, from whatever data directory, agent and event. */
export function isOurCommand(command: unknown): command is string {
  return typeof command === 'string' && OUR_COMMAND.test(command);
}

/**
 * The hook file as it stands in hook commands: the default data directory by way of `$HOME`, any other by its path.
 */
export function toHookFile(dataDirectory: string, home: string): string {
  const isDefault = resolve(dataDirectory) === resolve(home, '.oncebitten');
  return isDefault ? DEFAULT_HOOK_FILE : join(resolve(dataDirectory), 'bin', 'hook');
}

export interface HookHandler {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
  readonly async?: true;
}

/** The keys of a handler that are ours to set; any other key in it is the user's. */
export const HANDLER_KEYS = ['type', 'command', 'timeout', 'async'] as const;

/**
 * What we put into an agent's settings for one event: a group without a matcher (so it fires for every tool) that holds
 * one command handler.
 */
export function toHookHandler(agent: AgentInstall, hookFile: string, event: HookEvent): HookHandler {
  return {
    type: 'command',
    command: toHookCommand(hookFile, agent.facts.id, event.name),
    timeout: agent.hooks.timeout,
    ...(event.async ? { async: true } : {}),
  };
}

export const PLUGIN_NAME = 'oncebitten';

interface PluginInput {
  readonly agent: AgentInstall;
  readonly plugin: AgentPlugin;
  /** From `toHookFile`. */
  readonly hookFile: string;
  readonly version: string;
}

/** Path, relative to the folder of the plugin, to text. */
export function renderPlugin({ agent, plugin, hookFile, version }: PluginInput): Readonly<Record<string, string>> {
  const groups = agent.hooks.events.map((event) => [event.name, [{ hooks: [toHookHandler(agent, hookFile, event)] }]]);
  return plugin.render({
    name: PLUGIN_NAME,
    version,
    description: 'Learns from failed tool calls, and shows the fix when an agent repeats the mistake.',
    note: `Asks Oncebitten, which must be installed: oncebitten install ${agent.facts.id} --plugin. Generated.`,
    hooks: Object.fromEntries(groups),
    command: LEARN_COMMAND,
  });
}

export function writePlugin(dir: string, input: PluginInput): PluginPlace {
  for (const [path, text] of Object.entries(renderPlugin(input))) writeOwnFile(join(dir, path), text);
  return { name: PLUGIN_NAME, dir, pluginDir: join(dir, input.plugin.folder) };
}
