/**
 * Doctor checks of the hooks: whether each agent has our hooks, in which settings file, whether the shim and the
 * `hook.cjs` that it falls back to are usable, and whether something keeps hooks from running or lessons from being
 * shown: agent settings, pauses and mutes, shell variables.
 */

import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { findAdapter } from '../../../agents/hooks.ts';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import { TRACKED_TOOLS } from '../../../base/model/tool.ts';
import { isRecord } from '../../../base/records.ts';
import { checkSettings } from '../../../keep/settings/check-settings.ts';
import {
  findFileOnlyReason,
  findNearestKey,
  findSettingKey,
  IGNORED_VARIABLES,
  isSettingGroup,
  SETTING_KEYS,
} from '../../../keep/settings/setting-keys.ts';
import { readBuildVersion } from '../../../loop/home/program-files.ts';
import { isExecutable } from '../../daemon/deploy-app.ts';
import { readShim } from '../../hook/render-shim.ts';
import { findSettingsFile, isAgentPresent } from '../../install/agent-place.ts';
import { describeCapabilities } from '../../install/describe-capabilities.ts';
import { toHookFile } from '../../install/hook-command.ts';
import {
  type Asked,
  type HookPresence,
  hasPlugin,
  listSkippedHooks,
  readAgentSettings,
  readInstalledHooks,
} from '../../install/installed-hooks.ts';
import type { CommandInput } from '../command.ts';
import { listSwitchedOff, readSwitchState } from '../pause/switches.ts';
import { advice, bad, type Check, checkThat, type Finding, ok } from './check.ts';

export async function checkHooks(input: CommandInput): Promise<readonly Check[]> {
  const checks = INSTALLS.filter((agent) => isAgentPresent({ agent, env: input.env, home: homedir() })).map(
    async (agent) => [
      await checkThat(`hooks of ${agent.facts.name}`, () => checkAgent(agent, input)),
      ...(await checkProject(agent, input)),
      await checkThat(`settings of ${agent.facts.name}`, () => checkAllowed(agent, input)),
      await checkThat(`capture from ${agent.facts.name}`, () => describeCapture(agent)),
    ],
  );
  return (await Promise.all(checks)).flat();
}

function checkAgent(agent: AgentInstall, { home, env, cwd }: CommandInput): Finding {
  const settingsFile = findSettingsFile({ agent, env, home: homedir() });
  const presence = readInstalledHooks({ agent, settingsFile, hookFile: toHookFile(home.dir, homedir()) });
  const asPlugin = hasPlugin(agent, { env, cwd });
  const finding = judgePresence(agent, settingsFile, presence);
  const data = { settingsFile, plugin: asPlugin, ...presence };
  if (!asPlugin) return { ...finding, data };
  if (presence.present.length === 0) return ok('installed as a plugin', data);
  const next = `keep one: oncebitten uninstall ${agent.facts.id}`;
  return advice(`installed twice, in ${settingsFile} and as a plugin, so each event starts two processes`, next, data);
}

function judgePresence(agent: AgentInstall, settingsFile: string, presence: HookPresence): Finding {
  const { missing, outdated, narrowed = [] } = presence;
  const next = `run: oncebitten install ${agent.facts.id}`;
  if (isNotInstalled(agent, presence)) return advice('not installed', next);
  if (missing.length + outdated.length > 0) {
    const problems = [
      ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}`]),
      ...(outdated.length === 0 ? [] : [`outdated: ${outdated.join(', ')}`]),
    ];
    return bad(`${problems.join('; ')} in ${settingsFile}`, next);
  }
  if (narrowed.length === 0) return ok(`all ${agent.hooks.events.length} are in ${settingsFile}`);
  // An installation leaves what the user wrote around our entries.
  const detail = `a "matcher" or "if" in ${settingsFile} limits the hooks of Oncebitten: ${narrowed.join(', ')}`;
  return bad(detail, 'remove it from the entries that run the hook of Oncebitten');
}

function isNotInstalled({ hooks }: AgentInstall, { missing }: HookPresence): boolean {
  return missing.length === hooks.events.length;
}

/** Only where the folder that doctor was started in has hooks of its own. */
async function checkProject(agent: AgentInstall, { home, env, cwd }: CommandInput): Promise<readonly Check[]> {
  const settingsFile = findSettingsFile({ agent, env, home: homedir(), project: cwd });
  if (!existsSync(settingsFile)) return [];
  const check = await checkThat(`hooks of ${agent.facts.name} in this project`, () => {
    const presence = readInstalledHooks({ agent, settingsFile, hookFile: toHookFile(home.dir, homedir()) });
    if (isNotInstalled(agent, presence)) return ok('this project has no hooks of its own');
    const finding = judgePresence(agent, settingsFile, presence);
    return finding.state === 'ok' || presence.narrowed ? finding : { ...finding, next: `${finding.next} --project` };
  });
  return [check];
}

/** What the hooks capture, and what this agent does not tell them. */
function describeCapture({ facts, hooks, program, limits: gaps }: AgentInstall): Finding {
  const events = hooks.events.map((event) => event.name);
  const limits = gaps.map((gap) => `        - ${gap}`);
  const capabilities = findAdapter(facts.id)?.capabilities;
  const described = capabilities === undefined ? {} : describeCapabilities(capabilities);
  const detail = `once connected, its hooks record ${events.length} kinds of events; tools: ${TRACKED_TOOLS.join(', ')}`;
  return ok(
    [
      detail,
      ...Object.entries(described).map(([what, words]) => `      ${what}: ${words}`),
      ...(gaps.length === 0 ? [] : [`      Known limits of ${program.name} ${program.seenVersion}:`, ...limits]),
    ].join('\n'),
    { events, tools: TRACKED_TOOLS, capabilities, gaps },
  );
}

const NEXT = 'write it: oncebitten daemon start';

/** The shim and what it falls back to. `isWanted`: some agent has hooks that run it. */
export async function checkHookFile({ home, env }: CommandInput, isWanted: boolean): Promise<readonly Check[]> {
  if (!statSync(home.dir, { throwIfNoEntry: false })?.isDirectory()) return [];
  const agent = INSTALLS.find((one) => isAgentPresent({ agent: one, env, home: homedir() })) ?? INSTALLS[0];
  return [await checkThat('hook program', () => judgeHookFile(home.hookFile, isWanted, agent?.facts.id))];
}

function judgeHookFile(hookFile: string, isWanted: boolean, agent = ''): Finding {
  if (!existsSync(hookFile))
    return isWanted
      ? bad(`${hookFile} does not exist, so agents get no lessons`, NEXT)
      : advice('not there yet; `oncebitten install` creates it', `connect an agent: oncebitten install ${agent}`);
  if (!isExecutable(hookFile)) return bad(`${hookFile} is not executable, so agents get no lessons`, NEXT);
  const shim = readShim(hookFile);
  if (shim === undefined) return bad(`${hookFile} was not written by Oncebitten`, NEXT);
  if (!existsSync(join(shim.app, 'hook.cjs')))
    return bad(`${shim.app} has no hook.cjs, so agents get no lessons while the daemon is not running`, NEXT);
  const version = readBuildVersion();
  if (basename(shim.app) === version) return ok(hookFile);
  return bad(`${hookFile} is from version ${basename(shim.app)}, but this is version ${version}`, NEXT);
}

/** Variables that the shim and the hook heed. */
const VARIABLES: Readonly<Record<string, string>> = {
  ONCEBITTEN_DISABLED: 'nothing is captured and no lesson is shown',
  DISABLE_EXPERIENCE_INJECTION: 'no lesson is shown; calls are still recorded',
  ONCEBITTEN_NO_DAEMON: 'hooks do not start the daemon',
};

/** The switches for all hooks, then the list of single ones. */
function checkAllowed(agent: AgentInstall, asked: Asked): Finding {
  const switches = checkSwitches(agent, asked);
  const skipped = switches.state === 'ok' ? listSkippedHooks(agent, asked) : [];
  if (skipped.length === 0) return switches;
  const detail = skipped.map(({ events, reason }) => `the hooks of Oncebitten ${reason}: ${events.join(', ')}`);
  return bad(detail.join('; '), [...new Set(skipped.map(({ next }) => next))].join('; '), { skipped });
}

export function checkSwitches(agent: AgentInstall, asked: Asked): Finding {
  const all = readAgentSettings(agent, asked);
  for (const { key, off = true, managedOnly } of agent.hooks.switches) {
    const found = all.find(
      ({ settings, isManaged }) => findSetting(settings, key) === off && (isManaged || !managedOnly),
    );
    if (found === undefined) continue;
    const who = found.isManaged ? 'ask your administrator to allow the hooks of Oncebitten' : `remove "${key}"`;
    const detail = `"${key}" in ${found.file} keeps the hooks of Oncebitten from running`;
    return bad(detail, `${who} in ${found.file}`, { key, file: found.file });
  }
  return ok('hooks are allowed');
}

function findSetting(settings: unknown, key: string): unknown {
  return key.split('.').reduce((value, part) => (isRecord(value) ? value[part] : undefined), settings);
}

/** Nothing where nothing is switched off. */
export function checkPauses({ home }: Pick<CommandInput, 'home'>): readonly Check[] {
  const switches = readSwitchState(home);
  const off = listSwitchedOff(switches);
  if (off.length === 0) return [];
  const { broken, paused, muted } = switches;
  const commands = off.map(({ end }) => end?.command ?? 'oncebitten lessons unmute <lesson>');
  const [detail, next] = [off.map(({ text }) => text).join(' '), `end it: ${commands.join(', ')}`];
  return [{ name: 'pauses', state: broken ? 'bad' : 'advice', detail, next, data: { paused, muted } }];
}

/** Only advice, because the user set the variable, and may have forgotten. Agents started elsewhere do not see it. */
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
