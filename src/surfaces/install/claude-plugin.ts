/**
 * Renders Claude Code's plugin, with the same facts and commands as the hooks in its settings, and writes it to the
 * data directory, where it stays when the package moves. The plugin is wrapped in a marketplace of one, because Claude
 * Code installs permanently only from a marketplace.
 */

import { join } from 'node:path';
import type { AgentFacts } from '../../base/contracts/agent-adapter.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { toHookHandler } from './hook-command.ts';

export const PLUGIN_NAME = 'oncebitten';
/** The marketplace is one folder up. */
const PLUGIN_FOLDER = 'claude-code';

const DESCRIPTION = 'Your coding agents make each mistake once: shows a lesson before the mistake is repeated.';

interface PluginInput {
  readonly facts: AgentFacts;
  /** From `toHookFile`. */
  readonly hookFile: string;
  readonly version: string;
}

/** Path, relative to the marketplace folder, to text. */
export function renderClaudePlugin({ facts, hookFile, version }: PluginInput): Readonly<Record<string, string>> {
  const owner = { name: 'Oncebitten' };
  const manifest = { name: PLUGIN_NAME, version, description: DESCRIPTION, author: owner, license: 'MIT' };
  const groups = facts.hooks.events.map((event) => [event.name, [{ hooks: [toHookHandler(facts, hookFile, event)] }]]);
  const hooks = {
    description: 'Asks Oncebitten, which must be installed: oncebitten install claude-code --plugin. Generated.',
    hooks: Object.fromEntries(groups),
  };
  const plugins = [{ name: PLUGIN_NAME, source: `./${PLUGIN_FOLDER}`, description: DESCRIPTION }];
  return {
    '.claude-plugin/marketplace.json': toJson({
      name: PLUGIN_NAME,
      owner,
      metadata: { description: DESCRIPTION },
      plugins,
    }),
    [`${PLUGIN_FOLDER}/.claude-plugin/plugin.json`]: toJson(manifest),
    [`${PLUGIN_FOLDER}/hooks/hooks.json`]: toJson(hooks),
  };
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

interface WrittenPlugin {
  /** For `claude plugin marketplace add`. */
  readonly marketplaceDir: string;
  /** For `claude --plugin-dir`. */
  readonly pluginDir: string;
}

/** Puts the plugin into the data directory: there it stays when the package moves, and knows its own hook file. */
export function writePlugin(marketplaceDir: string, input: PluginInput): WrittenPlugin {
  for (const [path, text] of Object.entries(renderClaudePlugin(input))) writeOwnFile(join(marketplaceDir, path), text);
  return { marketplaceDir, pluginDir: join(marketplaceDir, PLUGIN_FOLDER) };
}
