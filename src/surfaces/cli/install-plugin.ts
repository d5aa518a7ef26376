/** `install --plugin`: the plugin is made ready; loading it is Claude Code's own command, for the user to give. */
import { homedir } from 'node:os';
import type { AgentFacts } from '../../base/agent-adapter.ts';
import { ensureDaemon } from '../daemon/control-daemon.ts';
import { findSettingsFile } from '../install/find-settings-file.ts';
import { readInstalledHooks } from '../install/read-installed-hooks.ts';
import { PLUGIN_NAME } from '../install/render-claude-plugin.ts';
import { toHookFile } from '../install/to-hook-file.ts';
import { writePlugin } from '../install/write-plugin.ts';
import { readBuildVersion } from '../package-root.ts';
import type { CommandInput } from './command.ts';
import { quoteWord } from './quote-word.ts';

export async function installPlugin({ home, env }: CommandInput, facts: AgentFacts) {
  const hookFile = toHookFile(home.dir, homedir());
  const settingsFile = findSettingsFile({ facts, env, home: homedir() });
  const { present } = readInstalledHooks({ facts, settingsFile, hookFile });
  const { daemon } = await ensureDaemon(home);
  const [version = ''] = readBuildVersion().split('+');
  const plugin = writePlugin(home.pluginDir, { facts, hookFile, version });
  const { name: program } = facts.program;
  const load = {
    once: [`${program} --plugin-dir ${quoteWord(plugin.pluginDir)}`],
    forGood: [
      `${program} plugin marketplace add ${quoteWord(plugin.marketplaceDir)}`,
      `${program} plugin install ${PLUGIN_NAME}@${PLUGIN_NAME}`,
    ],
    undo: [`${program} plugin uninstall ${PLUGIN_NAME}@${PLUGIN_NAME}`],
  };
  const twice = present.length > 0 ? settingsFile : undefined;
  const json = {
    agent: facts.id,
    scope: 'plugin',
    ...plugin,
    load,
    ...(twice === undefined ? {} : { also: twice }),
    daemon,
  };
  const text = `The plugin is in ${plugin.pluginDir}. ${facts.name} loads it
  for one session:  ${load.once.join('')}
  for good:         ${load.forGood.join(' && ')}
Undo it: ${load.undo.join('')}`;
  return { json, text: twice === undefined ? text : `${text}\n${toTwiceAdvice(twice, facts)}` };
}

function toTwiceAdvice(settingsFile: string, { id }: AgentFacts): string {
  return `${settingsFile} has our hooks too. Every call still counts once, but starts two processes: oncebitten uninstall ${id}`;
}
