/** The plugin that is installed in OpenCode, loaded as OpenCode loads it, in the home of a story. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Story } from './open-story.ts';

export type PluginHooks = Readonly<Record<string, (input: object, output: object) => Promise<void>>>;

/** Node loads a file once: each load needs a name of its own. */
let loads = 0;

export async function loadPlugin(
  { home, project }: Story,
  toast: (message: string) => void = () => {},
): Promise<PluginHooks> {
  const installed = readFileSync(join(home, '.config/opencode/plugins/oncebitten.js'), 'utf8');
  const copy = join(home, `plugin-${++loads}.mjs`);
  writeFileSync(copy, installed.replace('homedir()', JSON.stringify(home)));
  const { Oncebitten } = await import(copy);
  const tui = { showToast: async ({ body }: { body: { message: string } }) => toast(body.message) };
  return Oncebitten({ directory: project, client: { tui } });
}
