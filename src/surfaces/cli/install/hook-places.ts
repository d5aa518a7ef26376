/**
 * Finds the places where hooks of this data directory are installed: settings files of agents, or a plugin. If the list
 * is empty, nobody needs the daemon. A plugin given on the agent's command line leaves no trace to find.
 */

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { toAgentHome } from '../../../agents/agents.ts';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import { isRecord } from '../../../base/records.ts';
import { toHookFile } from '../../install/hook-command.ts';
import { listStandingHooks } from '../../install/installed-hooks.ts';
import { PLUGIN_NAME } from '../../install/plugin.ts';
import type { CommandInput } from '../command.ts';

interface Hooked {
  readonly agent: string;
  readonly name: string;
  /** For a person. */
  readonly place: string;
}

export function listHooked({ home, env, cwd }: Pick<CommandInput, 'home' | 'env' | 'cwd'>): readonly Hooked[] {
  const hookFile = toHookFile(home.dir, homedir());
  const standing = listStandingHooks({ env, cwd, hookFile, record: home.installDir });
  const plugins = INSTALLS.filter((agent) => hasPlugin(agent, { env, cwd }));
  return [
    ...standing.map(({ agent, name, settingsFile }) => ({ agent, name, place: settingsFile })),
    ...plugins.map(({ facts }) => ({ agent: facts.id, name: facts.name, place: 'as a plugin' })),
  ];
}

/** Whether the agent's settings switch our plugin on. One given on the command line leaves no trace to find. */
export function hasPlugin(agent: AgentInstall, asked: Asked): boolean {
  const { plugin } = agent;
  if (plugin === undefined) return false;
  return readAgentSettings(agent, asked).some(({ settings }) => plugin.isOn(settings, PLUGIN_NAME));
}

/** Every settings file of an agent that counts here: the user's, this project's two, the administrator's. */
export type Asked = Pick<CommandInput, 'env' | 'cwd'>;

interface AgentSettings {
  readonly file: string;
  readonly isManaged: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Without those that are not there or hold no object: what is wrong with them the hooks' own check says. */
export function readAgentSettings(agent: AgentInstall, { env, cwd }: Asked): readonly AgentSettings[] {
  const { userFile, projectFile, sharedFiles, managedFiles } = agent.hooks;
  const managed = managedFiles[process.platform];
  const files = [
    join(toAgentHome(agent.facts, { env, home: homedir() }), userFile),
    ...[...sharedFiles, projectFile].map((file) => join(cwd, agent.facts.home.folder, file)),
  ];
  return [
    ...[...new Set(files)].map((file) => ({ file, isManaged: false })),
    ...(managed === undefined ? [] : [{ file: managed, isManaged: true }]),
  ].flatMap(({ file, isManaged }) => {
    const settings = findSettings(file);
    return settings === undefined ? [] : [{ file, isManaged, settings }];
  });
}

function findSettings(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(readFileSync(file, 'utf8'), [], { allowTrailingComma: true });
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
