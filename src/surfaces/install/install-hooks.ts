/**
 * Installs our hooks into an agent's settings file beside the entries that are there, and uninstalls them. Doing either
 * twice has the same effect as doing it once. `install-record.ts` lets us undo an installation to the byte.
 */

import { existsSync } from 'node:fs';
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { mayHaveOurCommand } from './hook-command.ts';
import {
  addOurHooks,
  findOurHandlers,
  findTheirContainers,
  getSettingsRoot,
  isEmptied as isSettingsEmptied,
  removeOurHooks,
} from './hook-entries.ts';
import {
  findOriginal,
  findRecordFiles,
  readInstallRecord,
  removeInstallRecord,
  toSha256,
  writeRecords,
} from './install-record.ts';
import { changeProgram, removeProgram } from './program-file.ts';
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

export interface HookInstallation {
  readonly agent: AgentInstall;
  readonly settingsFile: string;
  /** From `toHookFile`. */
  readonly hookFile: string;
  /** Our folder for backups and records. */
  readonly record: string;
}

export interface InstalledHooks {
  readonly changed: boolean;
  /** Names of events that had no entry of ours. */
  readonly added: readonly string[];
  /** Names of events whose entry was outdated. */
  readonly replaced: readonly string[];
  readonly settingsFile: string;
  /** The user's file as it was before us; absent when nothing was changed or there was no file. */
  readonly backupFile?: string;
}

export function installHooks(installation: HookInstallation): InstalledHooks {
  const { record, settingsFile } = installation;
  return withInstallLock(record, () => changeSettingsFile(settingsFile, (file) => install(installation, file)));
}

interface HookPlan extends Pick<InstalledHooks, 'changed' | 'added' | 'replaced' | 'settingsFile'> {
  /** The settings file now; absent where there is none. */
  readonly before?: Buffer;
  /** The settings file as an installation would leave it. */
  readonly after: Buffer;
}

/** What an installation would do. Reads only. Failure: the same errors that the installation would meet in the file. */
export function planHooks(installation: HookInstallation): HookPlan {
  const file = readSettingsFile(installation.settingsFile);
  const { original, text, bytes, added, replaced } = work(installation, file);
  const before = file.found?.bytes;
  if (text !== original) checkWritable(file);
  const { settingsFile } = installation;
  return { changed: text !== original, added, replaced, settingsFile, after: bytes, ...(before && { before }) };
}

/** The new text of a settings file, and what has to be known to record the change. */
function work(installation: HookInstallation, file: SettingsFile) {
  const { agent, settingsFile, record } = installation;
  if (agent.hooks.program !== undefined) {
    const files = findRecordFiles(record, agent.facts.id, file.path, file.found?.bytes);
    const earlier = file.found === undefined ? undefined : readInstallRecord(files);
    const { text, ...change } = changeProgram(installation, agent.hooks.program, file);
    return {
      ...change,
      text,
      bytes: Buffer.from(text),
      files,
      earlier,
      isClean: file.found === undefined,
      theirs: new Set<string>(),
    };
  }
  const { mark, text: original } = getSettingsText(file);
  const root = getSettingsRoot(original, settingsFile);
  const files = findRecordFiles(record, agent.facts.id, file.path, file.found?.bytes);
  const isClean = findOurHandlers(root).length === 0;
  // A file without our entries begins anew, whatever we once did there.
  const earlier = isClean ? undefined : readInstallRecord(files);
  const theirs = new Set([...findTheirContainers(root), ...(earlier?.theirs ?? [])]);

  const change = addOurHooks(original, { ...installation, theirs });
  const bytes = toSettingsBytes({ mark, text: change.text });
  return { ...change, original, bytes, files, earlier, isClean, theirs };
}

/** Undefined when the file was changed meanwhile. */
function install(installation: HookInstallation, file: SettingsFile): InstalledHooks | undefined {
  const { settingsFile } = installation;
  const { original, text, bytes, added, replaced, files, earlier, isClean, theirs } = work(installation, file);
  if (text === original) return { changed: false, added, replaced, settingsFile };
  checkWritable(file);
  writeRecords(files, file, earlier, { isClean, theirs: [...theirs], writtenSha256: toSha256(bytes) });
  if (!writeSettingsFile(file, bytes)) return undefined;
  const backup = existsSync(files.backupFile) ? { backupFile: files.backupFile } : {};
  return { changed: true, added, replaced, settingsFile, ...backup };
}

type HookRemoval = Omit<HookInstallation, 'hookFile'>;

export interface UninstalledHooks {
  readonly changed: boolean;
  /** Names of events that had an entry of ours. */
  readonly removed: readonly string[];
  /** The original bytes, the file without our entries, no file as before us, or nothing to do. */
  readonly restored: 'bytes' | 'edited' | 'deleted' | 'nothing';
}

/**
 * Takes our hooks out of an agent's settings file. A file that nobody has touched since gets its original bytes back;
 * from any other only our entries go. Doing it twice is doing it once.
 */
export function uninstallHooks(removal: HookRemoval): UninstalledHooks {
  const run = () => changeSettingsFile(removal.settingsFile, (file) => uninstall(removal, file));
  // Without the folder nobody installs from here; making it for the lock would leave something behind.
  return existsSync(removal.record) ? withInstallLock(removal.record, run) : run();
}

/** Undefined when the file was changed meanwhile. */
function uninstall({ agent, settingsFile, record }: HookRemoval, file: SettingsFile): UninstalledHooks | undefined {
  const files = findRecordFiles(record, agent.facts.id, file.path, file.found?.bytes);
  const earlier = readInstallRecord(files);
  const isProgram = agent.hooks.program !== undefined;
  // A file that names no hook of ours is not our business, even if it cannot be parsed.
  const isTheirs = !isProgram && file.found !== undefined && !mayHaveOurCommand(file.found.bytes);
  const { mark, text: current } = isTheirs ? { mark: '' as const, text: '{}' } : getSettingsText(file);
  const { text, removed } = isProgram
    ? removeProgram(agent, file)
    : removeOurHooks(current, settingsFile, new Set(earlier?.theirs));
  if (removed.length === 0) {
    removeInstallRecord(files);
    return { changed: false, removed, restored: 'nothing' };
  }
  checkWritable(file);
  const bytes = isProgram ? 'no file' : findOriginal(files, earlier, file);
  // A file that we made and that holds nothing else goes, even if it was touched.
  const isEmptied = !isProgram && earlier?.madeFile === true && isSettingsEmptied(text, settingsFile);
  const isDeleted = bytes === 'no file' || (bytes === undefined && isEmptied);
  const isDone = isDeleted
    ? deleteSettingsFile(file, earlier?.madeFolders ?? [])
    : writeSettingsFile(file, bytes ?? toSettingsBytes({ mark, text }));
  if (!isDone) return undefined;
  removeInstallRecord(files);
  return { changed: true, removed, restored: isDeleted ? 'deleted' : bytes === undefined ? 'edited' : 'bytes' };
}
