/**
 * Installs our MCP server into the settings of an agent, and uninstalls it, as `install-hooks.ts` does with hooks: doing
 * either twice has the same effect as doing it once, and a file that nobody has touched since gets its bytes back.
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toSettingsHome } from '../../agents/agents.ts';
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import {
  findOriginal,
  findRecordFiles,
  isRestorable,
  readInstallRecord,
  removeInstallRecord,
  toSha256,
  writeRecords,
} from './install-record.ts';
import { checkNameFree, findEntry, isCurrent, SERVER_ARGUMENTS, type ServerText, toFormat } from './mcp-entry.ts';
import {
  changeSettingsFile,
  checkWritable,
  deleteSettingsFile,
  getSettingsText,
  readSettingsFile,
  type SettingsFile,
  toSettingsBytes,
  withInstallLock,
  writeSettingsFile,
} from './user-file.ts';

export interface McpInstallation {
  readonly client: AgentMcp;
  readonly settingsFile: string;
  /** The program that the agent starts. */
  readonly command: string;
  /** Our folder for backups and records. */
  readonly record: string;
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

export interface InstalledMcp {
  readonly changed: boolean;
  readonly settingsFile: string;
  /** The user's file as it was before us; absent when nothing was changed or there was no file. */
  readonly backupFile?: string;
}

export function installMcp(installation: McpInstallation): InstalledMcp {
  const { record, settingsFile } = installation;
  return withInstallLock(record, () => changeSettingsFile(settingsFile, (file) => install(installation, file)));
}

/** Reads only. Failure: the same errors that the installation would meet in the file. */
export function planMcp(installation: McpInstallation) {
  const file = readSettingsFile(installation.settingsFile);
  const { isSame, bytes } = work(installation, file);
  if (!isSame) checkWritable(file);
  return { changed: !isSame, before: file.found?.bytes, after: bytes };
}

export interface McpPresence {
  readonly isInstalled: boolean;
  /** It starts the program of this data directory. */
  readonly isCurrent: boolean;
}

export function readInstalledMcp(installation: McpInstallation): McpPresence {
  const { isNew, isSame } = work(installation, readSettingsFile(installation.settingsFile));
  return { isInstalled: !isNew, isCurrent: isSame };
}

function work({ client, settingsFile, command, record }: McpInstallation, file: SettingsFile) {
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
    isNew: entry === undefined,
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

/** Undefined when the file was changed meanwhile. */
function install(installation: McpInstallation, file: SettingsFile): InstalledMcp | undefined {
  const { settingsFile } = installation;
  const { isSame, isNew, bytes, files, earlier, theirs } = work(installation, file);
  if (isSame) return { changed: false, settingsFile };
  checkWritable(file);
  writeRecords(files, file, earlier, { isClean: isNew, theirs: [...theirs], writtenSha256: toSha256(bytes) });
  if (!writeSettingsFile(file, bytes)) return undefined;
  return { changed: true, settingsFile, ...(existsSync(files.backupFile) ? { backupFile: files.backupFile } : {}) };
}

export interface UninstalledMcp {
  readonly changed: boolean;
  /** The original bytes, the file without our entry, no file as before us, or nothing to do. */
  readonly restored: 'bytes' | 'edited' | 'deleted' | 'nothing';
}

export function uninstallMcp(installation: McpInstallation): UninstalledMcp {
  const { record, settingsFile } = installation;
  const run = () => changeSettingsFile(settingsFile, (file) => uninstall(installation, file));
  // Without the folder nobody installs from here; making it for the lock would leave something behind.
  return existsSync(record) ? withInstallLock(record, run) : run();
}

/** Undefined when the file was changed meanwhile. */
function uninstall({ client, settingsFile, record }: McpInstallation, file: SettingsFile): UninstalledMcp | undefined {
  const format = toFormat(client);
  const { mark, text } = getSettingsText(file, format.blank);
  const given = { text, file: settingsFile, client };
  const files = findRecordFiles(record, toRecordName(client), file.path, file.found?.bytes);
  const earlier = readInstallRecord(files);
  if (!hasEntry(given, earlier !== undefined)) {
    removeInstallRecord(files);
    return { changed: false, restored: 'nothing' };
  }
  checkWritable(file);
  const bytes = findOriginal(files, earlier, file);
  const rest = format.remove(given, earlier === undefined || earlier.theirs.includes(client.key));
  const isEmptied = earlier?.madeFile === true && format.isEmpty({ ...given, text: rest });
  const isDeleted = bytes === 'no file' || (bytes === undefined && isEmptied);
  const isDone = isDeleted
    ? deleteSettingsFile(file, earlier?.madeFolders ?? [])
    : writeSettingsFile(file, bytes ?? toSettingsBytes({ mark, text: rest }));
  if (!isDone) return undefined;
  removeInstallRecord(files);
  return { changed: true, restored: isDeleted ? 'deleted' : bytes === undefined ? 'edited' : 'bytes' };
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
