/** Puts the plugin into the data directory: there it stays when the package moves, and knows its own hook file. */
import { join } from 'node:path';
import { writeOwnFile } from '../write-own-file.ts';
import { PLUGIN_FOLDER, type PluginInput, renderClaudePlugin } from './render-claude-plugin.ts';

export interface WrittenPlugin {
  /** For `claude plugin marketplace add`. */
  readonly marketplaceDir: string;
  /** For `claude --plugin-dir`. */
  readonly pluginDir: string;
}

export function writePlugin(marketplaceDir: string, input: PluginInput): WrittenPlugin {
  for (const [path, text] of Object.entries(renderClaudePlugin(input))) writeOwnFile(join(marketplaceDir, path), text);
  return { marketplaceDir, pluginDir: join(marketplaceDir, PLUGIN_FOLDER) };
}
