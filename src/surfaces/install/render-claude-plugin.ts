/**
 * Claude Code's plugin, made from the same facts and with the same commands as the hooks in its settings, and a
 * marketplace of one around it: what Claude Code installs for good it installs from a marketplace.
 */
import type { AgentFacts } from '../../base/agent-adapter.ts';
import { toHookHandler } from './to-hook-handler.ts';

export const PLUGIN_NAME = 'oncebitten';
/** The marketplace is one folder up. */
export const PLUGIN_FOLDER = 'claude-code';

const DESCRIPTION = 'Your coding agents make each mistake once: shows a lesson before the mistake is repeated.';

export interface PluginInput {
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
