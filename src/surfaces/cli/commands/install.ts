/** `oncebitten install`. */
import { homedir } from 'node:os';
import type { AgentFacts } from '../../../base/agent-adapter.ts';
import type { DeliveryMode } from '../../../base/lesson.ts';
import type { Settings } from '../../../base/settings.ts';
import { readSettings } from '../../../keep/read-settings.ts';
import { mayWithhold } from '../../../measure/decide-holdout.ts';
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import { checkAgentPresent } from '../../install/check-agent-present.ts';
import { findGitState } from '../../install/find-git-state.ts';
import { findProject } from '../../install/find-project.ts';
import { findSettingsFile } from '../../install/find-settings-file.ts';
import { type InstalledHooks, installHooks, planHooks } from '../../install/install-hooks.ts';
import { toHookFile } from '../../install/to-hook-file.ts';
import { allowMode, findWantedMode } from '../allow-mode.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { checkSwitches } from '../doctor/check-switches.ts';
import { getAdapter } from '../get-adapter.ts';
import { installPlugin } from '../install-plugin.ts';
import { readHome } from '../open-home.ts';
import { renderDiff } from '../promote/render-diff.ts';
import { toCount } from '../to-count.ts';

export const run: Handler = async (input) => {
  const {
    home,
    arguments: [agent = ''],
    options,
    env,
  } = input;
  const { facts } = getAdapter(agent);
  // What is wrong with our own settings is told first: nothing works with them.
  const settings = readSettings(home.configFile, env);
  if (options.force !== true) checkAgentPresent({ facts, env, home: homedir() });
  const wanted = findWantedMode(input);
  if (options.dryRun === true) return planInstall(input, facts, { wanted, settings });
  const { json, text } = await (options.plugin === true ? installPlugin : installIntoSettings)(input, facts);
  const allowed = await allowMode(input, wanted);
  const holdout = await describeHoldout(input);
  return {
    json: { ...json, maxMode: allowed.maxMode, holdout: holdout.json },
    text: `${text}\n${allowed.text}\n${holdout.text}`,
  };
};

/** `--dry-run`: the settings file as it would be, and what else an installation would make. */
async function planInstall(
  input: CommandInput,
  facts: AgentFacts,
  { wanted, settings }: { readonly wanted: DeliveryMode | undefined; readonly settings: Settings },
): Promise<CommandResult> {
  const { home, options, env, cwd } = input;
  const hookFile = toHookFile(home.dir, homedir());
  const holdout = await describeHoldout(input);
  const own = [
    `Oncebitten would copy its programs to ${home.appDir}, write ${home.hookFile} and start the daemon.`,
    ...(wanted === undefined ? [] : [`It would set delivery.maxMode to ${wanted} in ${home.configFile}.`]),
  ].join('\n');
  const end = `Nothing was changed.\n${holdout.text}`;
  const maxMode = wanted ?? settings.delivery.maxMode;
  const common = { dryRun: true, agent: facts.id, maxMode, holdout: holdout.json };
  if (options.plugin === true) {
    const json = { ...common, scope: 'plugin', marketplaceDir: home.pluginDir };
    return { json, text: `Oncebitten would write the plugin to ${home.pluginDir}.\n${own}\n${end}` };
  }
  const project = findProject(options.project, cwd);
  const settingsFile = findSettingsFile({ facts, env, home: homedir(), project });
  const { before, after, ...plan } = planHooks({ facts, settingsFile, hookFile, record: home.installDir });
  const diff = plan.changed ? renderDiff(settingsFile, before, after) : '';
  const json = { ...common, scope: project === undefined ? 'user' : 'project', ...plan, diff };
  const told = plan.changed
    ? `An installation would change ${settingsFile}${before === undefined ? ', which is not there yet' : ''}:\n\n${diff}\n`
    : `${facts.name} already has our hooks in ${settingsFile}: that file would stay as it is.`;
  return { json, text: `${told}\n${own}\n${end}` };
}

/** Which lessons the measurement may withhold: a person who installs us must know that before they wonder. */
async function describeHoldout(input: CommandInput) {
  const { lessons, settings } = await readHome(input, async ({ store, settings }) => ({
    lessons: await store.listLessons({ status: 'active' }),
    settings,
  }));
  const { share, after } = settings.holdout;
  const slugs = lessons.filter((lesson) => mayWithhold(lesson, settings.holdout)).map(({ slug }) => slug);
  const json = { share, after, lessons: slugs };
  if (share === 0) return { json, text: 'No lesson is ever withheld: holdout.share is 0.' };
  const more = slugs.length > MAX_NAMED ? ` and ${slugs.length - MAX_NAMED} more` : '';
  const named = slugs.length === 0 ? '' : `: ${slugs.slice(0, MAX_NAMED).join(', ')}${more}`;
  const now =
    lessons.length === 0
      ? 'There are no active lessons yet.'
      : `Of your ${toCount(lessons.length, 'active lesson')} it may withhold ${slugs.length}${named}.`;
  const text = `To measure whether lessons help, Oncebitten withholds a lesson in about ${Math.round(share * 100)} of 100 sessions, after it was shown ${after} times.
It withholds only lessons that it learned or imported. It never withholds a CRITICAL lesson, a lesson that you wrote or whose mode you set, or a lesson that pauses a call.
${now}
To switch that off: oncebitten config set holdout.share 0`;
  return { json, text };
}

const MAX_NAMED = 5;

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
