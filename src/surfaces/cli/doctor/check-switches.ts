/** Doctor checks of everything that keeps hooks from running or lessons from being shown: agent settings, pauses and mutes, shell variables. */
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import { checkSettings } from '../../../keep/settings/check-settings.ts';
import {
  findFileOnlyReason,
  findNearestKey,
  findSettingKey,
  IGNORED_VARIABLES,
  isSettingGroup,
  SETTING_KEYS,
} from '../../../keep/settings/setting-keys.ts';
import type { CommandInput } from '../command.ts';
import { type Asked, readAgentSettings } from '../install/hook-places.ts';
import { readSwitchState, renderSwitchState } from '../pause/switches.ts';
import type { Check, Finding } from './check.ts';

/** Variables that the shim and the hook heed. */
const VARIABLES: Readonly<Record<string, string>> = {
  ONCEBITTEN_DISABLED: 'nothing is captured and no lesson is shown',
  DISABLE_EXPERIENCE_INJECTION: 'no lesson is shown; capture goes on',
  ONCEBITTEN_NO_DAEMON: 'hooks do not start the daemon',
};

export function checkSwitches(agent: AgentInstall, asked: Asked): Finding {
  const all = readAgentSettings(agent, asked);
  for (const { key, managedOnly } of agent.hooks.switches) {
    const found = all.find(({ settings, isManaged }) => settings[key] === true && (isManaged || !managedOnly));
    if (found === undefined) continue;
    const who = found.isManaged ? 'ask your administrator to allow the hooks of Oncebitten' : `remove "${key}"`;
    const detail = `"${key}" in ${found.file} keeps the hooks of Oncebitten from running`;
    return { state: 'bad', detail, next: `${who} in ${found.file}`, data: { key, file: found.file } };
  }
  return { state: 'ok', detail: 'none of its settings keeps hooks from running' };
}

/** Nothing where nothing is switched off. */
export function checkPauses({ home }: Pick<CommandInput, 'home'>): readonly Check[] {
  const switches = readSwitchState(home);
  const lines = renderSwitchState(switches);
  if (lines.length === 0) return [];
  const { broken, paused, muted } = switches;
  const next = 'end it: oncebitten resume, oncebitten lessons unmute';
  return [{ name: 'pauses', state: broken ? 'bad' : 'advice', detail: lines.join(' '), next, data: { paused, muted } }];
}

/** Somebody's choice, so nothing is wrong; they may have forgotten. Agents that were started elsewhere do not see it. */
export function checkVariables({ env }: Pick<CommandInput, 'env'>): readonly Check[] {
  const set = Object.entries(VARIABLES)
    .filter(([name]) => env[name] === '1')
    .map(([name, meaning]): Check => {
      const detail = `is 1 in this shell. For agents started from it, ${meaning}`;
      return { name, state: 'advice', detail, next: `unset ${name}` };
    });
  return [...set, ...listIgnored(env), ...Object.keys(env).filter(isUnknown).map(toUnknown)];
}

/** Variables that would set what only the settings file may set. */
function listIgnored(env: CommandInput['env']): readonly Check[] {
  const ignored = checkSettings('', env).ignored.filter(({ key }) => findFileOnlyReason(key) !== undefined);
  return ignored.map(({ key, variable = key, reason }) => ({
    name: variable,
    state: 'advice',
    detail: `is set in this shell, but has no effect: ${reason}`,
    next: `unset ${variable}; to change the setting: oncebitten config ${isSettingGroup(key) ? `explain ${key}` : `set ${key} <value>`}`,
  }));
}

/** Ours that are no settings, and those of our tools. */
const OTHERS = new Set(['HOME', 'HOST', 'PROBE', 'RIG', 'CORPUS', 'LOG_LINES'].map((name) => `ONCEBITTEN_${name}`));
const SETTINGS = new Set<string>([
  ...SETTING_KEYS.flatMap(({ variables }) => variables),
  ...IGNORED_VARIABLES.map(({ variable }) => variable),
]);

function isUnknown(name: string): boolean {
  return name.startsWith('ONCEBITTEN_') && !SETTINGS.has(name) && !OTHERS.has(name) && !Object.hasOwn(VARIABLES, name);
}

function toUnknown(name: string): Check {
  const words = name.slice('ONCEBITTEN_'.length).toLowerCase();
  const nearest = findNearestKey(words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
  const meant = nearest === undefined ? undefined : findSettingKey(nearest)?.variables[0];
  const detail = `is set in this shell, but is not a setting${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  return { name, state: 'advice', detail, next: 'see all: oncebitten config list' };
}
