/** Whether each agent has our hooks, where, and whether something keeps them from running. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { AGENTS } from '../../../agents/agents.ts';
import { KNOWN_LIMITS } from '../../../agents/known-limits.ts';
import type { AgentFacts } from '../../../base/agent-adapter.ts';
import { TRACKED_TOOLS } from '../../../base/tool.ts';
import { findSettingsFile } from '../../install/find-settings-file.ts';
import { type HookPresence, readInstalledHooks } from '../../install/read-installed-hooks.ts';
import { toHookFile } from '../../install/to-hook-file.ts';
import type { CommandInput } from '../command.ts';
import { type Check, checkThat, type Finding } from './check.ts';
import { checkSwitches } from './check-switches.ts';
import { hasPlugin } from './has-plugin.ts';

export async function checkHooks(input: CommandInput): Promise<readonly Check[]> {
  const checks = AGENTS.map(async ({ facts }) => [
    await checkThat(`hooks of ${facts.name}`, () => checkAgent(facts, input)),
    ...(await checkProject(facts, input)),
    await checkThat(`switches of ${facts.name}`, () => checkSwitches(facts, input)),
    await checkThat(`capture from ${facts.name}`, () => describeCapture(facts)),
  ]);
  return (await Promise.all(checks)).flat();
}

function checkAgent(facts: AgentFacts, { home, env, cwd }: CommandInput): Finding {
  const settingsFile = findSettingsFile({ facts, env, home: homedir() });
  const presence = readInstalledHooks({ facts, settingsFile, hookFile: toHookFile(home.dir, homedir()) });
  const asPlugin = hasPlugin(facts, { env, cwd });
  const finding = judgePresence(facts, settingsFile, presence);
  const data = { settingsFile, plugin: asPlugin, ...presence };
  if (!asPlugin) return { ...finding, data };
  if (presence.present.length === 0) return { state: 'ok', detail: 'as a plugin', data };
  const next = `keep one: oncebitten uninstall ${facts.id}`;
  return { state: 'advice', detail: `in ${settingsFile} and as a plugin: two processes for each event`, next, data };
}

function judgePresence(facts: AgentFacts, settingsFile: string, presence: HookPresence): Finding {
  const { missing, outdated, narrowed = [] } = presence;
  const next = `run: oncebitten install ${facts.id}`;
  if (missing.length === facts.hooks.events.length) return { state: 'advice', detail: 'not installed', next };
  if (missing.length + outdated.length > 0) {
    const told = [
      ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}`]),
      ...(outdated.length === 0 ? [] : [`outdated: ${outdated.join(', ')}`]),
    ];
    return { state: 'bad', detail: `${told.join('; ')} in ${settingsFile}`, next };
  }
  if (narrowed.length === 0) return { state: 'ok', detail: `all ${facts.hooks.events.length} in ${settingsFile}` };
  // An installation leaves what the user wrote around our entries.
  const detail = `"matcher" or "if" keeps calls from us: ${narrowed.join(', ')} in ${settingsFile}`;
  return { state: 'bad', detail, next: `remove it there from the entries with our command` };
}

/** Only where the folder that doctor was started in has hooks of its own. */
async function checkProject(facts: AgentFacts, { home, env, cwd }: CommandInput): Promise<readonly Check[]> {
  const settingsFile = findSettingsFile({ facts, env, home: homedir(), project: cwd });
  if (!existsSync(settingsFile)) return [];
  const check = await checkThat(`hooks of ${facts.name} in this project`, () => {
    const presence = readInstalledHooks({ facts, settingsFile, hookFile: toHookFile(home.dir, homedir()) });
    const finding = judgePresence(facts, settingsFile, presence);
    if (finding.state === 'advice') return { state: 'ok', detail: 'none of their own' };
    return finding.state === 'ok' || presence.narrowed ? finding : { ...finding, next: `${finding.next} --project` };
  });
  return [check];
}

/** What the hooks capture, and what this agent does not tell them. */
function describeCapture({ id, hooks, program }: AgentFacts): Finding {
  const events = hooks.events.map((event) => event.name);
  const gaps = KNOWN_LIMITS[id] ?? [];
  const limits = gaps.map((gap) => `        - ${gap}`);
  const detail = `${events.length} events; tools: ${TRACKED_TOOLS.join(', ')}`;
  return {
    state: 'ok',
    detail: [
      detail,
      ...(gaps.length === 0 ? [] : [`      Known limits of ${program.name} ${program.seenVersion}:`, ...limits]),
    ].join('\n'),
    data: { events, tools: TRACKED_TOOLS, gaps },
  };
}
