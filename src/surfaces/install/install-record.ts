/**
 * Adds our entries to a settings file of an agent and removes them; doing either twice has the same effect as doing it
 * once. Each change has a record: the original file, a digest of what we wrote, and which folders and containers were
 * there before us. It lets us undo the change to the byte: a file that nobody has touched since gets its original bytes
 * back; any other file loses only our entries.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { toReason, UserError } from '../../base/errors.ts';
import { writeFileAtomically } from '../../loop/home/write-file.ts';
import {
  changeSettingsFile,
  checkWritable,
  deleteSettingsFile,
  findMissingFolders,
  readSettingsFile,
  type SettingsFile,
  withInstallLock,
  writeSettingsFile,
} from './user-file.ts';

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
  /** The objects and lists around our entries that were the user's before we came: `hooks`, `hooks.<Event>` … */
  theirs: z.array(z.string()),
});

type InstallRecord = z.infer<typeof installRecord>;

/** A settings file that we change. */
export interface RecordedFile {
  readonly settingsFile: string;
  /** Our folder for backups and records. */
  readonly record: string;
}

/** What is written into a settings file, and what has to be known to record it. */
interface Addition {
  readonly isSame: boolean;
  /** The file as it is to be. */
  readonly bytes: Buffer;
  readonly files: RecordFiles;
  readonly earlier: InstallRecord | undefined;
  readonly isClean: boolean;
  readonly theirs: Iterable<string>;
}

export interface Added {
  readonly changed: boolean;
  readonly settingsFile: string;
  /** The user's file as it was before us; absent when nothing was changed or there was no file. */
  readonly backupFile?: string;
}

/** `toAddition` is asked again if another program changes the file meanwhile. */
export function addEntries<A extends Addition>(
  { settingsFile, record }: RecordedFile,
  toAddition: (file: SettingsFile) => A,
): { readonly added: Added; readonly addition: A } {
  const add = (file: SettingsFile) => {
    const addition = toAddition(file);
    const { files, bytes, earlier, isClean, theirs } = addition;
    if (addition.isSame) return { added: { changed: false, settingsFile }, addition };
    checkWritable(file);
    writeRecords(files, file, earlier, { isClean, theirs: [...theirs], writtenSha256: toSha256(bytes) });
    if (!writeSettingsFile(file, bytes)) return undefined;
    const backup = existsSync(files.backupFile) ? { backupFile: files.backupFile } : {};
    return { added: { changed: true, settingsFile, ...backup }, addition };
  };
  return withInstallLock(record, () => changeSettingsFile(settingsFile, add));
}

/** What `addEntries` would do. Reads only. Failure: the same errors that it would meet in the file. */
export function planEntries<A extends Addition>(
  { settingsFile }: RecordedFile,
  toAddition: (file: SettingsFile) => A,
): { readonly before: Buffer | undefined; readonly addition: A } {
  const file = readSettingsFile(settingsFile);
  const addition = toAddition(file);
  if (!addition.isSame) checkWritable(file);
  return { before: file.found?.bytes, addition };
}

interface Removal {
  /** False: there is nothing to remove. */
  readonly isThere: boolean;
  readonly files: RecordFiles;
  readonly earlier: InstallRecord | undefined;
  /** Undefined if the whole file is ours. */
  toRest?(): Rest;
}

interface Rest {
  /** The file without our entries. */
  readonly bytes: Buffer;
  /** Nothing else is in it. */
  readonly isEmpty: boolean;
}

export interface Removed {
  readonly changed: boolean;
  /** The original bytes, the file without our entries, no file as before us, or nothing to do. */
  readonly restored: 'bytes' | 'edited' | 'deleted' | 'nothing';
}

export function removeEntries<R extends Removal>(
  { settingsFile, record }: RecordedFile,
  toRemoval: (file: SettingsFile) => R,
): { readonly removed: Removed; readonly removal: R } {
  const run = () =>
    changeSettingsFile(settingsFile, (file) => {
      const removal = toRemoval(file);
      const restored = removal.isThere ? restore(removal, file) : 'nothing';
      if (restored === undefined) return undefined;
      removeInstallRecord(removal.files);
      return { removed: { changed: removal.isThere, restored }, removal };
    });
  // Without the folder nobody installs from here; making it for the lock would leave something behind.
  return existsSync(record) ? withInstallLock(record, run) : run();
}

/** Undefined when the file was changed meanwhile. */
function restore({ files, earlier, toRest }: Removal, file: SettingsFile): Removed['restored'] | undefined {
  checkWritable(file);
  const original = toRest === undefined ? 'no file' : findOriginal(files, earlier, file);
  const rest = toRest?.();
  // A file that we made and that holds nothing else goes, even if it was touched.
  const isEmptied = original === undefined && earlier?.madeFile === true && rest?.isEmpty === true;
  if (original === 'no file' || rest === undefined || isEmptied)
    return deleteSettingsFile(file, earlier?.madeFolders ?? []) ? 'deleted' : undefined;
  if (!writeSettingsFile(file, original ?? rest.bytes)) return undefined;
  return original === undefined ? 'edited' : 'bytes';
}

/** Where the records of one settings file are. */
interface RecordFiles {
  readonly recordFile: string;
  readonly backupFile: string;
}

/**
 * Where the records of a settings file are, also after a person moved the home folder: then they have the name of its old
 * path. They are known by the bytes that we wrote, and by the old path being gone.
 */
export function findRecordFiles(folder: string, agentId: string, path: string, bytes: Buffer | undefined): RecordFiles {
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
export function isRestorable(files: RecordFiles, record: InstallRecord, bytes: Buffer): boolean {
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

/** The file from before us. Undefined if somebody changed the file since, because restoring it would lose that change. */
function findOriginal(
  files: RecordFiles,
  record: InstallRecord | undefined,
  { found }: SettingsFile,
): Buffer | 'no file' | undefined {
  if (record === undefined || found === undefined || !isRestorable(files, record, found.bytes)) return undefined;
  return record.originalSha256 === undefined ? 'no file' : readBackup(files, record);
}
