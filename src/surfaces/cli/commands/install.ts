/** `oncebitten install`. */
import { homedir } from 'node:os';
import type { AgentFacts } from '../../../base/agent-adapter.ts';
import type { HoldoutSettings } from '../../../base/settings.ts';
import { readSettings } from '../../../keep/read-settings.ts';
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import { checkAgentPresent } from '../../install/check-agent-present.ts';
import { findGitState } from '../../install/find-git-state.ts';
import { findProject } from '../../install/find-project.ts';
import { findSettingsFile } from '../../install/find-settings-file.ts';
import { type InstalledHooks, installHooks } from '../../install/install-hooks.ts';
import { toHookFile } from '../../install/to-hook-file.ts';
import { allowMode, findWantedMode } from '../allow-mode.ts';
import type { CommandInput, Handler } from '../command.ts';
import { checkSwitches } from '../doctor/check-switches.ts';
import { getAdapter } from '../get-adapter.ts';
import { installPlugin } from '../install-plugin.ts';

export const run: Handler = async (input) => {
  const {
    home,
    arguments: [agent = ''],
    options,
    env,
  } = input;
  const { facts } = getAdapter(agent);
  // What is wrong with our own settings is told first: nothing works with them.
  const { holdout } = readSettings(home.configFile, env);
  if (options.force !== true) checkAgentPresent({ facts, env, home: homedir() });
  const wanted = findWantedMode(input);
  const { json, text } = await (options.plugin === true ? installPlugin : installIntoSettings)(input, facts);
  const allowed = await allowMode(input, wanted);
  return { json: { ...json, maxMode: allowed.maxMode }, text: `${text}\n${allowed.text}\n${renderHoldout(holdout)}` };
};

function renderHoldout({ share }: HoldoutSettings): string {
  if (share === 0) return 'Lessons are never withheld to measure what they change.';
  return `To measure what lessons change, each is left unsaid in about ${Math.round(share * 100)} of 100 sessions, never CRITICAL ones or your own.
To switch that off: oncebitten config set holdout.share 0`;
}

async function installIntoSettings(input: CommandInput, facts: AgentFacts) {
  const { home, options, env, cwd } = input;
  const project = findProject(options.project, cwd);
  const settingsFile = findSettingsFile({ facts, env, home: homedir(), project });
  // The daemon first: it puts the shim where the hooks will look for it.
  const { daemon } = await ensureDaemon(home);
  const hookFile = toHookFile(home.dir, homedir());
  const result = installHooks({ facts, settingsFile, hookFile, record: home.installDir });
  const scope = project === undefined ? 'user' : 'project';
  const git = project === undefined ? undefined : findGitState(settingsFile);
  const off = checkSwitches(facts, { env, cwd: project ?? cwd });
  const warnings = [
    ...(off.state === 'ok' ? [] : [`BUT ${off.detail}. Next: ${off.next}`]),
    ...(git === 'visible' ? [toGitAdvice(settingsFile)] : []),
  ];
  const told = { ...(git === undefined ? {} : { git }), ...(off.state === 'ok' ? {} : { off: off.detail }) };
  const json = { agent: facts.id, scope, ...result, ...told, daemon };
  return { json, text: [render(facts, result, scope), ...warnings].join('\n') };
}

function render({ id, name }: AgentFacts, result: InstalledHooks, scope: string): string {
  if (!result.changed) return `${name} already has our hooks in ${result.settingsFile}. Check them: oncebitten doctor`;
  const backup = result.backupFile === undefined ? '' : `\nA copy of it as it was: ${result.backupFile}`;
  return `${name}: ${result.added.length + result.replaced.length} hooks are in ${result.settingsFile}.${backup}
Check it: oncebitten doctor. Undo it: oncebitten uninstall ${id}${scope === 'project' ? ' --project' : ''}`;
}

/** The team should not get what only this person has. */
function toGitAdvice(settingsFile: string): string {
  return `git does not ignore ${settingsFile}: keep it out of commits, for example with a line in .git/info/exclude.`;
}
