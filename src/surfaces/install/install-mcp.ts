/**
 * Installs our MCP server into the settings of an agent, and uninstalls it, as `install-hooks.ts` does with hooks.
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toSettingsHome } from '../../agents/agents.ts';
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import {
  type Added,
  addEntries,
  findRecordFiles,
  isRestorable,
  planEntries,
  type RecordedFile,
  type Removed,
  readInstallRecord,
  removeEntries,
} from './install-record.ts';
import { checkNameFree, findEntry, isCurrent, SERVER_ARGUMENTS, type ServerText, toFormat } from './mcp-entry.ts';
import { getSettingsText, readSettingsFile, type SettingsFile, toSettingsBytes } from './user-file.ts';

export interface McpInstallation extends RecordedFile {
  readonly client: AgentMcp;
  /** The program that the agent starts. */
  readonly command: string;
}

interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** The user's home folder. */
  readonly home: string;
}

export function toMcpInstallation(client: AgentMcp, home: DataHome, machine: Machine): McpInstallation {
  const settingsFile = findMcpFile(client, machine);
  return { client, settingsFile, command: home.commandFile, record: home.installDir };
}

/** Whether or not it exists. */
export function findMcpFile({ facts, files, isInHome }: AgentMcp, machine: Machine): string {
  const settings = toSettingsHome(facts, machine);
  const { env: variable = '' } = facts.config ?? facts.home;
  const folder = isInHome && !machine.env[variable] ? dirname(settings) : settings;
  const paths = files.map((name) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? settings;
}

export type InstalledMcp = Added;

export function installMcp(installation: McpInstallation): InstalledMcp {
  return addEntries(installation, (file) => toAddition(installation, file)).added;
}

export function planMcp(installation: McpInstallation) {
  const { before, addition } = planEntries(installation, (file) => toAddition(installation, file));
  return { changed: !addition.isSame, before, after: addition.bytes };
}

export interface McpPresence {
  readonly isInstalled: boolean;
  /** It starts the program of this data directory. */
  readonly isCurrent: boolean;
}

export function readInstalledMcp(installation: McpInstallation): McpPresence {
  const { isClean, isSame } = toAddition(installation, readSettingsFile(installation.settingsFile));
  return { isInstalled: !isClean, isCurrent: isSame };
}

function toAddition({ client, settingsFile, command, record }: McpInstallation, file: SettingsFile) {
  const format = toFormat(client);
  const { mark, text } = getSettingsText(file, format.blank);
  const given = { text, file: settingsFile, client };
  checkNameFree(given);
  const wanted = client.toEntry({ command, args: SERVER_ARGUMENTS });
  const entry = findEntry(given);
  const isSame = entry !== undefined && isCurrent(entry, wanted);
  const changed = isSame ? text : entry === undefined ? format.add(given, wanted) : format.update(given, wanted);
  const files = findRecordFiles(record, toRecordName(client), file.path, file.found?.bytes);
  const earlier = entry === undefined ? undefined : readInstallRecord(files);
  const theirs = earlier?.theirs ?? (entry === undefined && format.hasList(given) ? [client.key] : []);
  return {
    isSame,
    isClean: entry === undefined,
    bytes: toSettingsBytes({ mark, text: changed }),
    files,
    earlier,
    theirs,
  };
}

/** Apart from the hooks, which may be in the same file. */
function toRecordName({ facts }: AgentMcp): string {
  return `mcp-${facts.id}`;
}

export type UninstalledMcp = Removed;

export function uninstallMcp(installation: McpInstallation): UninstalledMcp {
  return removeEntries(installation, (file) => toRemoval(installation, file)).removed;
}

function toRemoval({ client, settingsFile, record }: McpInstallation, file: SettingsFile) {
  const format = toFormat(client);
  const { mark, text } = getSettingsText(file, format.blank);
  const given = { text, file: settingsFile, client };
  const files = findRecordFiles(record, toRecordName(client), file.path, file.found?.bytes);
  const earlier = readInstallRecord(files);
  const toRest = () => {
    const rest = format.remove(given, earlier === undefined || earlier.theirs.includes(client.key));
    return { bytes: toSettingsBytes({ mark, text: rest }), isEmpty: format.isEmpty({ ...given, text: rest }) };
  };
  return { isThere: hasEntry(given, earlier !== undefined), files, earlier, toRest };
}

/** A broken file that we never wrote to is not our business. */
function hasEntry(given: ServerText, isRecorded: boolean): boolean {
  try {
    return findEntry(given) !== undefined;
  } catch (error) {
    if (isRecorded) throw error;
    return false;
  }
}

/** Nobody has touched the file since, not even an installation of our hooks. */
export function isMcpUntouched({ client, settingsFile, record }: McpInstallation): boolean {
  const file = readSettingsFile(settingsFile);
  if (file.found === undefined) return false;
  const files = findRecordFiles(record, toRecordName(client), file.path, file.found.bytes);
  const earlier = readInstallRecord(files);
  return earlier !== undefined && isRestorable(files, earlier, file.found.bytes);
}
