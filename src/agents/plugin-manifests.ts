/** The description of a plugin in the form that Claude Code began and other agents have taken over. */
import type { AgentPlugin, PluginContent } from '../base/contracts/agent-install.ts';

const OWNER = { name: 'Oncebitten' };

export function toMarketplace({ name, description, folder, version }: PluginContent): object {
  const plugins = [{ name, source: `./${folder}`, description, version }];
  return { name, owner: OWNER, metadata: { description }, plugins };
}

export function toManifest({ name, version, description }: PluginContent): object {
  return { name, version, description, author: OWNER, license: 'MIT' };
}

/** In settings with `"enabledPlugins": { "<name>@<marketplace>": true }`. */
export const isEnabled: AgentPlugin['isOn'] = ({ settings: { enabledPlugins } }, name) => {
  if (typeof enabledPlugins !== 'object' || enabledPlugins === null) return false;
  return Object.entries(enabledPlugins).some(([key, on]) => on === true && key.startsWith(`${name}@`));
};
