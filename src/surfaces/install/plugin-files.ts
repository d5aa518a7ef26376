/** Writes an agent's plugin: the files that describe it, the hooks of its settings file, and our commands. */

import { join } from 'node:path';
import { COMMANDS } from '../../agents/commands.ts';
import type { AgentInstall, AgentPlugin, PluginPlace } from '../../base/contracts/agent-install.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { toHookItem } from './hook-command.ts';
import { PLUGIN_COMMANDS } from './session-commands.ts';

export const PLUGIN_NAME = 'oncebitten';

interface PluginInput {
  readonly agent: AgentInstall;
  readonly plugin: AgentPlugin;
  /** From `toHookFile`. */
  readonly hookFile: string;
  readonly version: string;
}

/** Path, relative to the folder of all plugins, to text. */
export function renderPlugin({ agent, plugin, hookFile, version }: PluginInput): Readonly<Record<string, string>> {
  const { facts, hooks } = agent;
  const folder = facts.id;
  const description = 'Learns from failed tool calls, and shows the fix when an agent repeats the mistake.';
  const manifests = plugin.renderManifests({ name: PLUGIN_NAME, version, description, folder });
  const items = hooks.events.map((event) => [event.name, [toHookItem(agent, hookFile, event)]]);
  const note = `Asks Oncebitten, which must be installed: oncebitten install ${folder} --plugin. Generated.`;
  const hooksFile = { ...(hooks.flat ?? {}), description: note, hooks: Object.fromEntries(items) };
  const commands = COMMANDS.filter((one) => one.facts.id === folder).flatMap(({ render }) =>
    PLUGIN_COMMANDS.flatMap((command) => Object.entries(render(command, 'plugin'))),
  );
  return {
    ...Object.fromEntries(Object.entries(manifests).map(([path, json]) => [path, toJson(json)])),
    [`${folder}/hooks/hooks.json`]: toJson(hooksFile),
    ...Object.fromEntries(commands.map(([path, text]) => [`${folder}/${path}`, text])),
  };
}

export function writePlugin(dir: string, input: PluginInput): PluginPlace {
  for (const [path, text] of Object.entries(renderPlugin(input))) writeOwnFile(join(dir, path), text);
  return { name: PLUGIN_NAME, dir, pluginDir: join(dir, input.agent.facts.id) };
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
