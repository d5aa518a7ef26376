/**
 * Takes our hooks out of an agent's settings file. A file that nobody has touched since gets its original bytes back;
 * from any other only our entries go. Doing it twice is doing it once.
 */
import { existsSync } from 'node:fs';
import type { AgentFacts } from '../../base/agent-adapter.ts';
import { changeSettingsFile, checkWritable, deleteSettingsFile, writeSettingsFile } from './change-settings-file.ts';
import { getSettingsText, toSettingsBytes } from './get-settings-text.ts';
import {
  findRecordFiles,
  type InstallRecord,
  isRestorable,
  type RecordFiles,
  readBackup,
  readInstallRecord,
  removeInstallRecord,
} from './install-record.ts';
import type { SettingsFile } from './read-settings-file.ts';
import { removeOurHooks } from './remove-our-hooks.ts';
import { withInstallLock } from './with-install-lock.ts';

export interface HookRemoval {
  readonly facts: AgentFacts;
  readonly settingsFile: string;
  /** Our folder for backups and records. */
  readonly record: string;
}

export interface UninstalledHooks {
  readonly changed: boolean;
  /** Names of events that had an entry of ours. */
  readonly removed: readonly string[];
  /** The original bytes, the file without our entries, no file as before us, or nothing to do. */
  readonly restored: 'bytes' | 'edited' | 'deleted' | 'nothing';
}

export function uninstallHooks(removal: HookRemoval): UninstalledHooks {
  const run = () => changeSettingsFile(removal.settingsFile, (file) => uninstall(removal, file));
  // Without the folder nobody installs from here; making it for the lock would leave something behind.
  return existsSync(removal.record) ? withInstallLock(removal.record, run) : run();
}

/** Undefined when the file was changed meanwhile. */
function uninstall({ facts, settingsFile, record }: HookRemoval, file: SettingsFile): UninstalledHooks | undefined {
  const files = findRecordFiles(record, facts.id, file.path, file.found?.bytes);
  const earlier = readInstallRecord(files);
  const { mark, text: current } = getSettingsText(file);
  const { text, removed } = removeOurHooks(current, settingsFile, new Set(earlier?.theirs));
  if (removed.length === 0) {
    removeInstallRecord(files);
    return { changed: false, removed, restored: 'nothing' };
  }
  checkWritable(file);
  const bytes = findOriginal(files, earlier, file);
  // A file that we made and that holds nothing else goes, even if it was touched.
  const isEmptied = earlier?.madeFile === true && text.trim() === '{}';
  const isDeleted = bytes === 'no file' || (bytes === undefined && isEmptied);
  const isDone = isDeleted
    ? deleteSettingsFile(file, earlier?.madeFolders ?? [])
    : writeSettingsFile(file, bytes ?? toSettingsBytes({ mark, text }));
  if (!isDone) return undefined;
  removeInstallRecord(files);
  return { changed: true, removed, restored: isDeleted ? 'deleted' : bytes === undefined ? 'edited' : 'bytes' };
}

/** What was there before us; undefined when the file was touched since, so that putting that back would lose the touch. */
function findOriginal(
  files: RecordFiles,
  record: InstallRecord | undefined,
  { found }: SettingsFile,
): Buffer | 'no file' | undefined {
  if (record === undefined || found === undefined || !isRestorable(files, record, found.bytes)) return undefined;
  return record.originalSha256 === undefined ? 'no file' : readBackup(files, record);
}
