/**
 * Writes an agent's plugin, with the same hooks as its settings file would have, to the data directory, where it stays when
 * the package moves.
 */

import { join } from 'node:path';
import type { AgentInstall, AgentPlugin, PluginPlace } from '../../base/contracts/agent-install.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { toHookHandler } from './hook-command.ts';

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
  });
}

export function writePlugin(dir: string, input: PluginInput): PluginPlace {
  for (const [path, text] of Object.entries(renderPlugin(input))) writeOwnFile(join(dir, path), text);
  return { name: PLUGIN_NAME, dir, pluginDir: join(dir, input.plugin.folder) };
}
