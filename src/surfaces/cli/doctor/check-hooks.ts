/** Whether each agent has our hooks. */
import { homedir } from 'node:os';
import { AGENTS } from '../../../agents/agents.ts';
import type { AgentAdapter } from '../../../base/agent-adapter.ts';
import { toReason } from '../../../base/errors.ts';
import { findSettingsFile } from '../../install/find-settings-file.ts';
import { readInstalledHooks } from '../../install/read-installed-hooks.ts';
import { toHookFile } from '../../install/to-hook-file.ts';
import type { CommandInput } from '../command.ts';
import type { Check } from './check.ts';

export function checkHooks(input: CommandInput): readonly Check[] {
  return AGENTS.map((adapter) => checkAgent(adapter, input));
}

function checkAgent({ facts }: AgentAdapter, { home, env }: CommandInput): Check {
  const name = `hooks of ${facts.name}`;
  const next = `run: oncebitten install ${facts.id}`;
  const settingsFile = findSettingsFile({ facts, env, home: homedir() });
  try {
    const { missing, outdated } = readInstalledHooks({
      facts,
      settingsFile,
      hookFile: toHookFile(home.dir, homedir()),
    });
    if (missing.length === facts.hooks.events.length) return { name, state: 'advice', detail: 'not installed', next };
    if (missing.length + outdated.length === 0) return { name, state: 'ok', detail: settingsFile };
    const detail = `${missing.length} missing, ${outdated.length} outdated in ${settingsFile}`;
    return { name, state: 'bad', detail, next };
  } catch (error) {
    return { name, state: 'bad', detail: toReason(error), next: `correct ${settingsFile}` };
  }
}
