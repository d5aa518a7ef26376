/**
 * `oncebitten install`: asks which delivery modes lessons may use, then puts our hooks into an agent's settings file, or
 * prepares the plugin (`--plugin`). Lessons are only notes until the user allows more. The user loads the plugin
 * with the agent's own command.
 */

import { homedir } from 'node:os';
import type { AgentInstall, AgentPlugin } from '../../../base/contracts/agent-install.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../../../base/model/lesson.ts';
import type { Settings } from '../../../base/model/settings.ts';
import { dropAbsent } from '../../../base/records.ts';
import { readCheckedSettings, readSettings } from '../../../keep/settings/read-settings.ts';
import { readBuildVersion } from '../../../loop/home/program-files.ts';
import { findGitState } from '../../../loop/projects/ask-git.ts';
import { listScanFiles } from '../../../loop/scan/scan-files.ts';
import { mayWithhold } from '../../../measure/delivery-share.ts';
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import { checkAgentPresent, findProject, findSettingsFile } from '../../install/agent-place.ts';
import { installCommands, planCommands } from '../../install/command-files.ts';
import { toHookFile } from '../../install/hook-command.ts';
import { type InstalledHooks, installHooks, planHooks } from '../../install/install-hooks.ts';
import { readInstalledHooks } from '../../install/installed-hooks.ts';
import { writePlugin } from '../../install/plugin-files.ts';
import { getInstall } from '../arguments/agents.ts';
import { findChoice, saysYes } from '../arguments/options.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { runSet as setConfig } from '../config/change.ts';
import { renderDiff } from '../diff.ts';
import { checkSwitches } from '../doctor/check-hooks.ts';
import { usageError } from '../errors.ts';
import { allowAuto, askForAuto, findOffer, type LearnOffer, renderAuto, renderOffer } from '../learn/offer.ts';
import { readHome } from '../open-home.ts';
import { joinLines, quoteWord, toCount } from '../text.ts';
import { type Done, describeFaults, findMany, listPresent, pickAgents, runEach, toListing } from './found-agents.ts';
import { checkServerOptions, installServer } from './mcp-server.ts';

export const run: Handler = async (input) => {
  const { home, options, env } = input;
  const many = findMany(input, 'install');
  checkServerOptions(input);
  const named = many === undefined ? getInstall(input.arguments[0] ?? '') : undefined;
  // Report invalid settings first, because nothing works with them.
  const settings = readSettings(home.configFile, env);
  if (named !== undefined && options.force !== true) checkAgentPresent({ agent: named, env, home: homedir() });
  if (options.mcp === true) {
    const connect = ({ facts }: AgentInstall) => installServer(input, facts);
    return named === undefined
      ? runEach(
          listPresent(input).map(({ agent }) => agent),
          connect,
        )
      : connect(named);
  }
  const wanted = findWantedMode(input);
  const isPlan = options.dryRun === true;
  const plan = (agent: AgentInstall): Promise<Done> => planInstall(input, agent, { wanted, settings });
  const install = (agent: AgentInstall): Promise<Done> => installAgent(input, agent);
  if (named !== undefined) {
    if (isPlan) return plan(named);
    const answers = await askBefore(input, wanted);
    return finish(input, await install(named), answers);
  }
  const found = listPresent(input);
  const agents = await pickAgents(input, found, many ?? 'all', (name) => `Connect ${name}?`);
  if (agents.length === 0) return toListing(found, 'install');
  if (isPlan) return runEach(agents, plan);
  const answers = await askBefore(input, wanted);
  return finish(input, await runEach(agents, install), answers);
};

interface Answers {
  /** How far lessons may go. Undefined: as the settings say. */
  readonly mode: DeliveryMode | undefined;
  readonly offer: LearnOffer | undefined;
  /** May packs go to that model by themselves? */
  readonly auto: boolean;
}

/** Asks everything before anything is written, so that Ctrl+C at a question leaves the machine as it was. */
async function askBefore(input: CommandInput, wanted: DeliveryMode | undefined): Promise<Answers> {
  const mode = await askMode(input, wanted);
  const offer = await readHome(input, (open) => {
    const files = listScanFiles({ home: homedir(), env: input.env, scanPaths: open.settings.scanPaths });
    return findOffer(input, open, files);
  });
  input.progress('');
  return { mode, offer, auto: offer !== undefined && (await askForAuto(input, offer)) };
}

function installAgent(input: CommandInput, agent: AgentInstall) {
  return (input.options.plugin === true ? installPlugin : installIntoSettings)(input, agent);
}

/** Keeps the answers and says once what they mean, however many agents were connected. */
async function finish(
  input: CommandInput,
  { json, text, failed = false }: Done,
  { mode, offer, auto }: Answers,
): Promise<CommandResult> {
  const allowed = await allowMode(input, mode);
  const holdout = await describeHoldout(input);
  if (offer !== undefined && auto) await allowAuto(input, offer);
  const learning =
    offer === undefined
      ? { json: {}, text: [] }
      : // In a terminal the offer stands above its question.
        { json: { offer, auto }, text: [...(input.ask === undefined ? [renderOffer(offer)] : []), renderAuto(auto)] };
  return {
    json: { ...json, maxMode: allowed.maxMode, holdout: holdout.json, ...learning.json },
    text: [text, allowed.text, holdout.text, ...learning.text].join('\n'),
    failed,
  };
}

/** `--dry-run`: the settings file as it would be, and what else an installation would make. */
async function planInstall(
  input: CommandInput,
  agent: AgentInstall,
  { wanted, settings }: { readonly wanted: DeliveryMode | undefined; readonly settings: Settings },
) {
  const { home, options } = input;
  const holdout = await describeHoldout(input);
  const own = joinLines([
    `Oncebitten would copy its programs to ${home.appDir}, write ${home.hookFile} and start the daemon.`,
    wanted !== undefined && `It would set delivery.maxMode to ${wanted} in ${home.configFile}.`,
  ]);
  const end = `Nothing was changed. To install, run the command without --dry-run.\n${holdout.text}`;
  const maxMode = wanted ?? settings.delivery.maxMode;
  const common = { dryRun: true, agent: agent.facts.id, maxMode, holdout: holdout.json };
  if (options.plugin === true) {
    getPlugin(agent);
    const json = { ...common, scope: 'plugin', marketplaceDir: home.pluginDir };
    return { json, text: `Oncebitten would write the plugin to ${home.pluginDir}.\n${own}\n${end}` };
  }
  const { scope, settingsFile, ...place } = toPlace(input, agent);
  const { before, after, ...plan } = planHooks({ agent, settingsFile, ...place });
  const diff = plan.changed ? renderDiff(settingsFile, before, after) : '';
  const { files = {}, faults = [] } = scope === 'user' ? planCommands(toCommandHome(input, agent)) : {};
  const commandFiles = Object.keys(files);
  const json = { ...common, scope, ...plan, diff, commandFiles };
  const change = plan.changed
    ? `${renderPlan(settingsFile, plan, before === undefined)}\n\n${diff}\n`
    : `${agent.facts.name} already has the hooks of Oncebitten in ${settingsFile}; that file would not change.`;
  const written =
    commandFiles.length === 0 ? '' : `\nOncebitten would also write its commands:\n  ${commandFiles.join('\n  ')}`;
  return { json, text: joinLines([`${change}\n${own}${written}`, ...describeFaults(faults).lines, end]) };
}

function toCommandHome({ home, env }: CommandInput, { facts }: AgentInstall) {
  return { agentId: facts.id, env, home: homedir(), record: home.installDir };
}

/** Where the hooks go: into the settings of the user, or of a project. */
function toPlace({ home, options, env, cwd }: CommandInput, agent: AgentInstall) {
  const project = findProject(options.project, cwd);
  return {
    ...{ project, scope: project === undefined ? 'user' : 'project' },
    settingsFile: findSettingsFile({ agent, env, home: homedir(), project }),
    ...{ hookFile: toHookFile(home.dir, homedir()), record: home.installDir },
  };
}

function renderPlan(
  file: string,
  { added, replaced }: Pick<InstalledHooks, 'added' | 'replaced'>,
  isNew: boolean,
): string {
  const changes = [
    ...(added.length === 0 ? [] : [`add ${toCount(added.length, 'hook')}`]),
    ...(replaced.length === 0 ? [] : [`update ${toCount(replaced.length, 'hook')}`]),
  ];
  const change = changes.join(' and ') || 'change the hooks';
  return isNew
    ? `This would create ${file} and ${change}:`
    : `This would ${change} in ${file}. Your other settings stay:`;
}

/** Says which lessons the holdout may withhold, because a user must know that before they wonder. */
async function describeHoldout(input: CommandInput) {
  const { lessons, settings } = await readHome(input, async ({ store, settings }) => ({
    lessons: await store.listLessons({ status: 'active' }),
    settings,
  }));
  const { share, after } = settings.holdout;
  const slugs = lessons.filter((lesson) => mayWithhold(lesson, settings.holdout)).map(({ slug }) => slug);
  const json = { share, after, lessons: slugs };
  if (share === 0) return { json, text: 'No lesson is ever withheld, because holdout.share is 0.' };
  const text = `To measure whether lessons help, Oncebitten withholds a lesson in about ${Math.round(share * 100)} of 100 sessions, after it was shown ${after} times; until then, it is always shown.
It withholds only lessons that it learned or imported. It never withholds lessons of the highest priority (CRITICAL), lessons that you wrote, and lessons that pause a call.
To switch that off: oncebitten config set holdout.share 0`;
  return { json, text };
}

async function installIntoSettings(input: CommandInput, agent: AgentInstall) {
  const { env, cwd } = input;
  const { project, scope, settingsFile, ...place } = toPlace(input, agent);
  // A file that cannot be changed is refused before anything else happens.
  planHooks({ agent, settingsFile, ...place });
  // The daemon before the hooks: it puts the shim where they will look for it.
  const { daemon } = await ensureDaemon(input.home);
  const result = installHooks({ agent, settingsFile, ...place });
  const git = project === undefined ? undefined : findGitState(settingsFile);
  const off = checkSwitches(agent, { env, cwd: project ?? cwd });
  const {
    typed = [],
    files = {},
    faults = [],
  } = project === undefined ? installCommands(toCommandHome(input, agent)) : {};
  const text = joinLines([
    render(agent, result, project),
    off.state !== 'ok' && `BUT ${off.detail}. Next: ${off.next}`,
    agent.consent ?? false,
    ...describeFaults(faults).lines,
    typed.length > 0 && `Commands for you to type in a session: ${typed.join(', ')}`,
    // The team should not get what only this user has.
    git === 'visible' &&
      `git does not ignore ${settingsFile}: keep it out of commits, for example with a line in .git/info/exclude.`,
  ]);
  const warnings = dropAbsent({ git, off: off.state === 'ok' ? undefined : off.detail });
  const commandFiles = Object.keys(files);
  const json = {
    agent: agent.facts.id,
    scope,
    ...result,
    ...warnings,
    commandFiles,
    ...describeFaults(faults).json,
    daemon,
  };
  return { json, text, failed: faults.length > 0 };
}

function render({ facts: { id, name } }: AgentInstall, result: InstalledHooks, project: string | undefined): string {
  if (!result.changed)
    return `${name} already has the hooks of Oncebitten in ${result.settingsFile}. Check them: oncebitten doctor`;
  const backup = result.backupFile === undefined ? '' : `\nA copy of that file from before: ${result.backupFile}`;
  return `Installed ${result.added.length + result.replaced.length} hooks for ${name} in ${result.settingsFile}.${backup}
Check: oncebitten doctor. Undo: oncebitten uninstall ${id}${project === undefined ? '' : ` --project ${quoteWord(project)}`}`;
}

/** `install --plugin`: writes the plugin; the user loads it with the agent's own command. */
async function installPlugin({ home, env }: CommandInput, agent: AgentInstall) {
  const plugin = getPlugin(agent);
  const hookFile = toHookFile(home.dir, homedir());
  const settingsFile = findSettingsFile({ agent, env, home: homedir() });
  const { present } = readInstalledHooks({ agent, settingsFile, hookFile });
  const { daemon } = await ensureDaemon(home);
  const [version = ''] = readBuildVersion().split('+');
  const place = writePlugin(home.pluginDir, { agent, plugin, hookFile, version });
  const commands = plugin.toCommands(place);
  const toLines = (all: readonly (readonly string[])[]) => all.map((words) => words.map(quoteWord).join(' '));
  const load = {
    once: toLines(commands.once),
    forGood: toLines(commands.forGood),
    undo: toLines(commands.undo),
  };
  const twice = present.length > 0 ? settingsFile : undefined;
  const json = {
    agent: agent.facts.id,
    scope: 'plugin',
    marketplaceDir: place.dir,
    pluginDir: place.pluginDir,
    load,
    ...(twice === undefined ? {} : { also: twice }),
    daemon,
  };
  const text = joinLines([
    `The plugin is in ${place.pluginDir}. ${agent.facts.name} loads it`,
    load.once.length > 0 && `  for one session:  ${load.once.join('')}`,
    `  for good:         ${load.forGood.join(' && ')}`,
    `Undo: ${load.undo.join('')}`,
    agent.consent ?? false,
    twice !== undefined &&
      `${twice} has the hooks of Oncebitten, too, so every event starts two processes. Remove the hooks there: oncebitten uninstall ${agent.facts.id}`,
  ]);
  return { json, text };
}

function getPlugin({ facts, plugin }: AgentInstall): AgentPlugin {
  if (plugin !== undefined) return plugin;
  throw usageError(
    '--plugin',
    `is not possible for ${facts.name}, because Oncebitten has no plugin for it`,
    `put the hooks into its settings: oncebitten install ${facts.id}`,
  );
}

const KEY = 'delivery.maxMode';
const QUESTION = `May a lesson pause a call, once, if your own past calls prove the lesson right? The agent reads the lesson and
may then repeat the call, which always runs. If not, lessons are notes only.`;

/** Reads the flags before anything is installed, because a wrong flag must not leave half of an installation. */
function findWantedMode({ options }: CommandInput): DeliveryMode | undefined {
  const mode = findChoice('--max-mode', options.maxMode, DELIVERY_MODES, 'mode');
  if (options.allowPause !== true) return mode;
  if (mode === 'note') throw usageError('--allow-pause', 'contradicts --max-mode note', 'give one of them');
  return mode ?? 'pause';
}

/** The user says how far lessons may go: by a flag, or asked once, before the hooks are installed. Until then: notes. */
async function askMode(input: CommandInput, wanted: DeliveryMode | undefined): Promise<DeliveryMode | undefined> {
  const { origins } = readCheckedSettings(input.home.configFile, input.env);
  const isDecided = (origins.get(KEY)?.kind ?? 'default') !== 'default';
  if (wanted !== undefined || isDecided || input.ask === undefined) return wanted;
  return (await saysYes(input, QUESTION)) ? 'pause' : 'note';
}

async function allowMode(input: CommandInput, mode: DeliveryMode | undefined) {
  if (mode !== undefined) await setConfig({ ...input, arguments: [KEY, mode] });
  // Read from the settings again, because a variable wins over the file.
  const { maxMode } = readSettings(input.home.configFile, input.env).delivery;
  return { maxMode, text: MEANING[maxMode] };
}

const NEVER = 'No lesson ever allows a call in your place. For notes only:';
const MEANING: Readonly<Record<DeliveryMode, string>> = {
  note: `Lessons are notes: they do not stop or change a call, unless you allow it.
To let proven lessons pause a call once: oncebitten config set ${KEY} pause`,
  pause: `Proven lessons may pause a call once; if the agent repeats it, it runs. ${NEVER} oncebitten config set ${KEY} note`,
  rewrite: `Proven lessons may pause a call once, or correct a word of it. ${NEVER} oncebitten config set ${KEY} note`,
  block: `Proven lessons may pause a call once, or correct a word of it; lessons that you set to block may refuse it. ${NEVER} oncebitten config set ${KEY} note`,
};
