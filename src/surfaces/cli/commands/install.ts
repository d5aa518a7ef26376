/** `oncebitten install`. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { AgentFacts } from '../../../base/agent-adapter.ts';
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import { findSettingsFile } from '../../install/find-settings-file.ts';
import { type InstalledHooks, installHooks } from '../../install/install-hooks.ts';
import { toHookFile } from '../../install/to-hook-file.ts';
import type { Handler } from '../command.ts';
import { getAdapter } from '../get-adapter.ts';

export const run: Handler = async ({ home, arguments: [agent = ''], options, env, cwd }) => {
  const { facts } = getAdapter(agent);
  const project = options.project === undefined ? undefined : resolve(cwd, String(options.project));
  const settingsFile = findSettingsFile({ facts, env, home: homedir(), project });
  // The daemon first: it puts the shim where the hooks will look for it.
  const { daemon } = await ensureDaemon(home);
  const hookFile = toHookFile(home.dir, homedir());
  const result = installHooks({ facts, settingsFile, hookFile, record: home.installDir });
  return { json: { agent, ...result, daemon }, text: render(facts, result) };
};

function render({ id, name }: AgentFacts, result: InstalledHooks): string {
  if (!result.changed) return `${name} already has our hooks in ${result.settingsFile}. Check them: oncebitten doctor`;
  const backup = result.backupFile === undefined ? '' : `\nA copy of it as it was: ${result.backupFile}`;
  return `${name}: ${result.added.length + result.replaced.length} hooks are in ${result.settingsFile}.${backup}
Lessons are notes only: they never allow, refuse or change a call.
Check it: oncebitten doctor. Undo it: oncebitten uninstall ${id}`;
}
