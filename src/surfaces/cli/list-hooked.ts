/** Where our hooks of this data directory still are: in settings files, or as a plugin. Empty: nobody needs the daemon. */
import { homedir } from 'node:os';
import { AGENTS } from '../../agents/agents.ts';
import { listStandingHooks } from '../install/list-standing-hooks.ts';
import { toHookFile } from '../install/to-hook-file.ts';
import type { CommandInput } from './command.ts';
import { hasPlugin } from './doctor/has-plugin.ts';

export interface Hooked {
  readonly agent: string;
  readonly name: string;
  /** For a person. */
  readonly place: string;
}

export function listHooked({ home, env, cwd }: Pick<CommandInput, 'home' | 'env' | 'cwd'>): readonly Hooked[] {
  const hookFile = toHookFile(home.dir, homedir());
  const standing = listStandingHooks({ env, cwd, hookFile, record: home.installDir });
  const plugins = AGENTS.filter(({ facts }) => hasPlugin(facts, { env, cwd }));
  return [
    ...standing.map(({ agent, name, settingsFile }) => ({ agent, name, place: settingsFile })),
    ...plugins.map(({ facts }) => ({ agent: facts.id, name: facts.name, place: 'as a plugin' })),
  ];
}
