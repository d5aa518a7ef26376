/**
 * Installs our hooks into an agent's settings file beside the entries that are there, and uninstalls them. Doing either
 * twice has the same effect as doing it once. A record of each installation (the original file, a digest of what we
 * wrote, which folders and containers were there before us) lets us undo it to the byte: a file that nobody has touched
 * since gets its original bytes back; any other file loses only our entries.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { toReason, UserError } from '../../base/errors.ts';
import { writeFileAtomically } from '../../loop/home/write-file.ts';
import {
  addOurHooks,
  findOurHandlers,
  findTheirContainers,
  getSettingsRoot,
  isEmptied as isSettingsEmptied,
  removeOurHooks,
} from './hook-entries.ts';
import { changeProgram, removeProgram } from './program-file.ts';
import {
  changeSettingsFile,
  checkWritable,
  deleteSettingsFile,
  findMissingFolders,
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

type Change = Pick<InstallRecord, 'isClean' | 'theirs' | 'writtenSha256'>;

function writeRecords(
  files: RecordFiles,
  file: SettingsFile,
  earlier: InstallRecord | undefined,
  change: Change,
): void {
  const bytes = file.found?.bytes;
  try {
    if (earlier !== undefined && bytes !== undefined && isRestorable(files, earlier, bytes)) {
      // The original is what there was before our first installation, not what we made of it.
      writeInstallRecord(files, { ...earlier, ...change, settingsFile: file.path, isClean: true });
      return;
    }
    writeBackup(files, bytes);
    writeInstallRecord(files, {
      settingsFile: file.path,
      ...(bytes === undefined ? {} : { originalSha256: toSha256(bytes) }),
      madeFile: bytes === undefined || earlier?.madeFile === true,
      madeFolders: bytes === undefined ? findMissingFolders(file.path) : (earlier?.madeFolders ?? []),
      ...change,
    });
  } catch (thrown) {
    throw new UserError({
      subject: files.recordFile,
      reason: `the backup of ${file.name} cannot be written (${toReason(thrown)})`,
      next: 'Make room or make the folder writable, then run the command again. Nothing was changed.',
      cause: thrown,
    });
  }
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
  const { mark, text: current } = getSettingsText(file);
  const isProgram = agent.hooks.program !== undefined;
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

/** The file from before us. Undefined if somebody changed the file since, because restoring it would lose that change. */
function findOriginal(
  files: RecordFiles,
  record: InstallRecord | undefined,
  { found }: SettingsFile,
): Buffer | 'no file' | undefined {
  if (record === undefined || found === undefined || !isRestorable(files, record, found.bytes)) return undefined;
  return record.originalSha256 === undefined ? 'no file' : readBackup(files, record);
}

const installRecord = z.object({
  /** Where the settings are, past symlinks. */
  settingsFile: z.string(),
  /** Digest of the backup; absent when there was no file to back up. */
  originalSha256: z.string().optional(),
  /** Whether the original is free of our entries, so that putting it back takes us out. */
  isClean: z.boolean(),
  writtenSha256: z.string(),
  /** Whether the file was not there before us. */
  madeFile: z.boolean(),
  /** Folders that we had to make for it, outermost first. */
  madeFolders: z.array(z.string()),
  /** `hooks` and `hooks.<Event>` containers that were the user's before we came. */
  theirs: z.array(z.string()),
});

type InstallRecord = z.infer<typeof installRecord>;

/** Where the records of one settings file are. */
interface RecordFiles {
  readonly recordFile: string;
  readonly backupFile: string;
}

/**
 * Where the records of a settings file are, also after a person moved the home folder: then they have the name of its old
 * path. They are known by the bytes that we wrote, and by the old path being gone.
 */
function findRecordFiles(folder: string, agentId: string, path: string, bytes: Buffer | undefined): RecordFiles {
  const files = toRecordFiles(folder, agentId, path);
  if (bytes === undefined || existsSync(files.recordFile) || !existsSync(folder)) return files;
  const written = toSha256(bytes);
  const moved = readdirSync(folder)
    .filter((name) => name.startsWith(`${agentId}-`) && name.endsWith('.json'))
    .map((name) => ({
      recordFile: join(folder, name),
      backupFile: join(folder, name.replace(/\.json$/, '.original')),
    }))
    .find((one) => {
      const record = readInstallRecord(one);
      return record?.writtenSha256 === written && !existsSync(record.settingsFile);
    });
  return moved ?? files;
}

function toRecordFiles(folder: string, agentId: string, settingsPath: string): RecordFiles {
  const name = `${agentId}-${toSha256(Buffer.from(settingsPath)).slice(0, 16)}`;
  return { recordFile: join(folder, `${name}.json`), backupFile: join(folder, `${name}.original`) };
}

/** Undefined when there is none, or it cannot be understood: then the entries are taken out one by one. */
export function readInstallRecord({ recordFile }: RecordFiles): InstallRecord | undefined {
  const bytes = readBytes(recordFile);
  if (bytes === undefined) return undefined;
  try {
    return installRecord.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** The original bytes; undefined when they are not there or are not what was put there. */
function readBackup({ backupFile }: RecordFiles, record: InstallRecord): Buffer | undefined {
  const bytes = readBytes(backupFile);
  return bytes !== undefined && toSha256(bytes) === record.originalSha256 ? bytes : undefined;
}

/** Whether undoing the whole installation gives the user's file to the byte: nobody has touched it since we wrote it. */
function isRestorable(files: RecordFiles, record: InstallRecord, bytes: Buffer): boolean {
  if (!record.isClean || toSha256(bytes) !== record.writtenSha256) return false;
  return record.originalSha256 === undefined || readBackup(files, record) !== undefined;
}

function writeBackup({ backupFile }: RecordFiles, bytes: Buffer | undefined): void {
  if (bytes === undefined) rmSync(backupFile, { force: true });
  else writeFileAtomically({ path: backupFile, bytes, mode: 0o600 });
}

function writeInstallRecord({ recordFile }: RecordFiles, record: InstallRecord): void {
  const bytes = Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
  writeFileAtomically({ path: recordFile, bytes, mode: 0o600 });
}

function removeInstallRecord({ recordFile, backupFile }: RecordFiles): void {
  rmSync(recordFile, { force: true });
  rmSync(backupFile, { force: true });
}

export function toSha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
