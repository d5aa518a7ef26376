/**
 * Doctor checks of the hooks: whether each agent has our hooks, in which settings file, whether something keeps them
 * from running, and whether the shim and the `hook.cjs` that it falls back to are usable.
 */

import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { findAdapter } from '../../../agents/hooks.ts';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentInstall } from '../../../base/contracts/agent-install.ts';
import { TRACKED_TOOLS } from '../../../base/model/tool.ts';
import { readBuildVersion } from '../../../loop/home/program-files.ts';
import { isExecutable } from '../../daemon/deploy-app.ts';
import { readShim } from '../../hook/render-shim.ts';
import { findSettingsFile, isAgentPresent } from '../../install/agent-place.ts';
import { toHookFile } from '../../install/hook-command.ts';
import { type HookPresence, readInstalledHooks } from '../../install/installed-hooks.ts';
import type { CommandInput } from '../command.ts';
import { hasPlugin } from '../install/hook-places.ts';
import { type Check, checkThat, type Finding } from './check.ts';
import { checkSwitches } from './check-switches.ts';

export async function checkHooks(input: CommandInput): Promise<readonly Check[]> {
  const checks = INSTALLS.filter((agent) => isAgentPresent({ agent, env: input.env, home: homedir() })).map(
    async (agent) => [
      await checkThat(`hooks of ${agent.facts.name}`, () => checkAgent(agent, input)),
      ...(await checkProject(agent, input)),
      await checkThat(`switches of ${agent.facts.name}`, () => checkSwitches(agent, input)),
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
  if (presence.present.length === 0) return { state: 'ok', detail: 'installed as a plugin', data };
  const next = `keep one: oncebitten uninstall ${agent.facts.id}`;
  return {
    state: 'advice',
    detail: `installed twice, in ${settingsFile} and as a plugin, so each event starts two processes`,
    next,
    data,
  };
}

function judgePresence(agent: AgentInstall, settingsFile: string, presence: HookPresence): Finding {
  const { missing, outdated, narrowed = [] } = presence;
  const next = `run: oncebitten install ${agent.facts.id}`;
  if (missing.length === agent.hooks.events.length) return { state: 'advice', detail: 'not installed', next };
  if (missing.length + outdated.length > 0) {
    const told = [
      ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}`]),
      ...(outdated.length === 0 ? [] : [`outdated: ${outdated.join(', ')}`]),
    ];
    return { state: 'bad', detail: `${told.join('; ')} in ${settingsFile}`, next };
  }
  if (narrowed.length === 0) return { state: 'ok', detail: `all ${agent.hooks.events.length} are in ${settingsFile}` };
  // An installation leaves what the user wrote around our entries.
  const detail = `a "matcher" or "if" in ${settingsFile} limits the hooks of Oncebitten: ${narrowed.join(', ')}`;
  return { state: 'bad', detail, next: 'remove it from the entries that run the hook of Oncebitten' };
}

/** Only where the folder that doctor was started in has hooks of its own. */
async function checkProject(agent: AgentInstall, { home, env, cwd }: CommandInput): Promise<readonly Check[]> {
  const settingsFile = findSettingsFile({ agent, env, home: homedir(), project: cwd });
  if (!existsSync(settingsFile)) return [];
  const check = await checkThat(`hooks of ${agent.facts.name} in this project`, () => {
    const presence = readInstalledHooks({ agent, settingsFile, hookFile: toHookFile(home.dir, homedir()) });
    const finding = judgePresence(agent, settingsFile, presence);
    if (finding.state === 'advice') return { state: 'ok', detail: 'this project has no hooks of its own' };
    return finding.state === 'ok' || presence.narrowed ? finding : { ...finding, next: `${finding.next} --project` };
  });
  return [check];
}

/** What the hooks capture, and what this agent does not tell them. */
function describeCapture({ facts, hooks, program, limits: gaps }: AgentInstall): Finding {
  const events = hooks.events.map((event) => event.name);
  const limits = gaps.map((gap) => `        - ${gap}`);
  const hasFixes = findAdapter(facts.id)?.readsFailureNotes === true;
  const detail = `${events.length} kinds of events; tools: ${TRACKED_TOOLS.join(', ')}; known fixes at a failure: ${hasFixes ? 'yes' : 'no'}`;
  return {
    state: 'ok',
    detail: [
      detail,
      ...(gaps.length === 0 ? [] : [`      Known limits of ${program.name} ${program.seenVersion}:`, ...limits]),
    ].join('\n'),
    data: { events, tools: TRACKED_TOOLS, knownFixes: hasFixes, gaps },
  };
}

const NEXT = 'write it: oncebitten daemon start';

/** The shim and what it falls back to. `isWanted`: some agent has hooks that run it. */
export async function checkHookFile({ home, env }: CommandInput, isWanted: boolean): Promise<readonly Check[]> {
  if (!statSync(home.dir, { throwIfNoEntry: false })?.isDirectory()) return [];
  const agent = INSTALLS.find((one) => isAgentPresent({ agent: one, env, home: homedir() })) ?? INSTALLS[0];
  return [await checkThat('hook', () => judgeHookFile(home.hookFile, isWanted, agent?.facts.id))];
}

function judgeHookFile(hookFile: string, isWanted: boolean, agent = ''): Finding {
  if (!existsSync(hookFile))
    return isWanted
      ? { state: 'bad', detail: `${hookFile} does not exist, so agents get no lessons`, next: NEXT }
      : { state: 'advice', detail: 'not written yet', next: `connect an agent: oncebitten install ${agent}` };
  if (!isExecutable(hookFile))
    return { state: 'bad', detail: `${hookFile} is not executable, so agents get no lessons`, next: NEXT };
  const shim = readShim(hookFile);
  if (shim === undefined) return { state: 'bad', detail: `${hookFile} was not written by Oncebitten`, next: NEXT };
  if (!existsSync(join(shim.app, 'hook.cjs')))
    return {
      state: 'bad',
      detail: `${shim.app} has no hook.cjs, so agents get no lessons while the daemon is not running`,
      next: NEXT,
    };
  const version = readBuildVersion();
  if (basename(shim.app) === version) return { state: 'ok', detail: hookFile };
  return {
    state: 'bad',
    detail: `${hookFile} is from version ${basename(shim.app)}, but this is version ${version}`,
    next: NEXT,
  };
}
