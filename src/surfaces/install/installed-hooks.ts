/**
 * Reads which of our hooks an agent has, for `doctor`, and lists all places that still start the hook of a data
 * directory: settings files of agents, or a plugin. It changes nothing. If the list is empty, nobody needs the daemon;
 * so an unreadable file that may have our hooks is listed, too. A plugin given on the agent's command line leaves no
 * trace to find.
 */

import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getNodeValue, type Node, parse } from 'jsonc-parser';
import { toSettingsHome } from '../../agents/agents.ts';
import { INSTALLS } from '../../agents/installs.ts';
import type { AgentInstall, PlacedHandler, SkippedHooks } from '../../base/contracts/agent-install.ts';
import { isRecord } from '../../base/records.ts';
import { findMembers } from '../../keep/settings/jsonc-text.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import { findSettingsFile, toProjectFolder } from './agent-place.ts';
import { COMMAND_KEYS, mayHaveOurCommand, toHookCommand, toHookFile } from './hook-command.ts';
import { checkHooksShape, decideHookChanges, findOurHandlers, getSettingsRoot } from './hook-entries.ts';
import type { HookInstallation, InstalledHooks } from './install-hooks.ts';
import { readInstallRecord } from './install-record.ts';
import { PLUGIN_NAME } from './plugin-files.ts';
import { changeProgram, renderProgram } from './program-file.ts';
import { getSettingsText, readSettingsFile } from './user-file.ts';

/** Names of events. An installation changes something exactly when `missing` or `outdated` has any. */
export interface HookPresence {
  readonly present: readonly string[];
  readonly missing: readonly string[];
  /** Also events with an entry of ours too many, and events that we no longer ask for. */
  readonly outdated: readonly string[];
  /** Those that a matcher or a condition of the user's keeps from some calls. Absent where there is none. */
  readonly narrowed?: readonly string[];
}

type HookQuestion = Omit<HookInstallation, 'record'>;

/** No file: everything is missing. Failure: the same errors that an installation would meet in the file. */
export function readInstalledHooks({ agent, settingsFile, hookFile }: HookQuestion): HookPresence {
  const file = readSettingsFile(settingsFile);
  if (agent.hooks.program !== undefined)
    return toProgramPresence(agent, changeProgram({ agent, hookFile }, agent.hooks.program, file));
  const root = getSettingsRoot(getSettingsText(file).text, settingsFile);
  const names = agent.hooks.events.map((event) => event.name);
  checkHooksShape(root, names, settingsFile);
  const changes = decideHookChanges(root, agent, hookFile);
  const outdated = new Set([...changes.outdated, ...changes.surplus].map((handler) => handler.event));
  const narrowed = [...new Set(findOurHandlers(root).flatMap((one) => (one.isNarrowed ? [one.event] : [])))];
  return {
    present: changes.present.filter((name) => !outdated.has(name) && !narrowed.includes(name)),
    missing: changes.missing.map((event) => event.name),
    outdated: [...outdated],
    ...(narrowed.length === 0 ? {} : { narrowed }),
  };
}

function toProgramPresence(
  { hooks }: AgentInstall,
  { added, replaced }: Pick<InstalledHooks, 'added' | 'replaced'>,
): HookPresence {
  const isPresent = added.length + replaced.length === 0;
  return { present: isPresent ? hooks.events.map(({ name }) => name) : [], missing: added, outdated: replaced };
}

/** Our hooks, of the user's settings and of this project's, that a list of the agent keeps from running. */
export function listSkippedHooks(agent: AgentInstall, { env, cwd }: Asked): readonly SkippedHooks[] {
  const { skips } = agent.hooks;
  if (skips === undefined) return [];
  const home = homedir();
  const contents = [toSettingsHome(agent.facts, { env, home }), join(cwd, toProjectFolder(agent))]
    .flatMap((folder) => readSettings(join(folder, skips.file)) ?? [])
    .map(({ text, settings }) => (skips.file.endsWith('.json') ? settings : text));
  const settingsFiles = [undefined, cwd].map((project) => findSettingsFile({ agent, env, home, project }));
  return skips.list([...new Set(settingsFiles)].flatMap(listPlacedHandlers), contents);
}

function listPlacedHandlers(settingsFile: string): readonly PlacedHandler[] {
  const { text } = readSettings(settingsFile) ?? {};
  if (text === undefined) return [];
  const files = [...new Set([settingsFile, realpathSync(settingsFile)])];
  return findOurHandlers(getSettingsRoot(text, settingsFile)).map(({ event, node, isFlat }) => {
    const group = isFlat ? node : node.parent?.parent?.parent;
    const matcher = isFlat || group === undefined ? undefined : findMembers(group, 'matcher')[0]?.value;
    return {
      ...{ event, files, group: toIndex(group), index: isFlat ? 0 : toIndex(node), handler: getNodeValue(node) },
      ...(typeof matcher === 'string' ? { matcher } : {}),
    };
  });
}

function toIndex(node: Node | undefined): number {
  return node === undefined ? 0 : (node.parent?.children ?? []).indexOf(node);
}

interface Hooked {
  readonly agent: string;
  readonly name: string;
  /** For a person: the settings file, or "as a plugin". */
  readonly place: string;
}

export const AS_PLUGIN = 'as a plugin';

/** Whose hooks, and where: the project in `cwd` is looked at too, because no record names it once the records are gone. */
interface HookSearch extends Asked {
  readonly home: Pick<DataHome, 'dir' | 'installDir'>;
}

/** Every agent's own settings file, the project's, those that our records name, and plugins. */
export function listHooked({ home, env, cwd }: HookSearch): readonly Hooked[] {
  const hookFile = toHookFile(home.dir, homedir());
  const inFiles = INSTALLS.flatMap((agent) => {
    const own = findSettingsFile({ agent, env, home: homedir() });
    const project = findSettingsFile({ agent, env, home: homedir(), project: cwd });
    return listOnce([own, project, ...listRecorded(home.installDir, agent)])
      .filter((settingsFile) => hasHook(agent, settingsFile, hookFile))
      .map((place) => ({ agent: agent.facts.id, name: agent.facts.name, place }));
  });
  const plugins = INSTALLS.filter((agent) => hasPlugin(agent, { env, cwd }));
  return [...inFiles, ...plugins.map(({ facts }) => ({ agent: facts.id, name: facts.name, place: AS_PLUGIN }))];
}

/** A record names its file past symlinks. */
function listOnce(files: readonly string[]): readonly string[] {
  const byPlace = new Map(files.toReversed().map((file) => [findRealPath(file), file]));
  return [...byPlace.values()].reverse();
}

function listRecorded(folder: string, { facts: { id } }: AgentInstall): readonly string[] {
  const record = new RegExp(`^${id}-[0-9a-f]{16}\\.json$`);
  return listNames(folder)
    .filter((name) => record.test(name))
    .flatMap((name) => {
      const recordFile = join(folder, name);
      return readInstallRecord({ recordFile, backupFile: '' })?.settingsFile ?? [];
    });
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function findRealPath(file: string): string {
  try {
    return readSettingsFile(file).path;
  } catch {
    return file;
  }
}

/** One of another data directory starts another daemon. */
function hasHook({ facts: { id }, hooks }: AgentInstall, settingsFile: string, hookFile: string): boolean {
  try {
    if (hooks.program !== undefined)
      return readSettingsFile(settingsFile).found?.bytes.toString('utf8') === renderProgram(hooks.program, hookFile);
    const root = getSettingsRoot(getSettingsText(readSettingsFile(settingsFile)).text, settingsFile);
    return findOurHandlers(root).some(({ event, node }) =>
      COMMAND_KEYS.flatMap((key) => findMembers(node, key)).some(
        ({ value }) => value === toHookCommand(hookFile, id, event),
      ),
    );
  } catch {
    return mayHaveHooks(settingsFile);
  }
}

/** Whether a file with which something is wrong may have our hooks: one that cannot be read may have them. */
export function mayHaveHooks(settingsFile: string): boolean {
  try {
    const { found } = readSettingsFile(settingsFile);
    return found !== undefined && mayHaveOurCommand(found.bytes);
  } catch {
    return true;
  }
}

/** Whether the agent's settings switch our plugin on. One given on the command line leaves no trace to find. */
export function hasPlugin(agent: AgentInstall, asked: Asked): boolean {
  const { plugin, facts } = agent;
  if (plugin === undefined) return false;
  const home = toSettingsHome(facts, { env: asked.env, home: homedir() });
  const records =
    plugin.recordFile === undefined
      ? readAgentSettings(agent, asked)
      : [readSettings(join(home, plugin.recordFile)) ?? { text: '', settings: {} }];
  return records.some((record) => plugin.isOn(record, PLUGIN_NAME));
}

export interface Asked {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

interface AgentSettings {
  readonly file: string;
  readonly isManaged: boolean;
  readonly text: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Every settings file of an agent that counts here: the user's, this project's two, the administrator's. Without files
 * that are missing, because the check of the hooks reports them.
 */
export function readAgentSettings(agent: AgentInstall, { env, cwd }: Asked): readonly AgentSettings[] {
  const { userFile, projectFile, sharedFiles, managedFiles } = agent.hooks;
  const managed = managedFiles[process.platform];
  const files = [
    join(toSettingsHome(agent.facts, { env, home: homedir() }), userFile),
    ...[...sharedFiles, projectFile].map((file) => join(cwd, toProjectFolder(agent), file)),
  ];
  return [
    ...[...new Set(files)].map((file) => ({ file, isManaged: false })),
    ...(managed === undefined ? [] : [{ file: managed, isManaged: true }]),
  ].flatMap(({ file, isManaged }) => {
    const found = readSettings(file);
    return found === undefined ? [] : [{ file, isManaged, ...found }];
  });
}

function readSettings(file: string): Pick<AgentSettings, 'text' | 'settings'> | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const value: unknown = parse(text, [], { allowTrailingComma: true });
    return { text, settings: isRecord(value) ? value : {} };
  } catch {
    return undefined;
  }
}
