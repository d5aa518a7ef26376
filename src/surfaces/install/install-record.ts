/**
 * The record of each change that we make to a settings file of an agent: the original file, a digest of what we wrote,
 * and which folders and containers were there before us. It lets us undo the change to the byte: a file that nobody has
 * touched since gets its original bytes back; any other file loses only our entries.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { toReason, UserError } from '../../base/errors.ts';
import { writeFileAtomically } from '../../loop/home/write-file.ts';
import { findMissingFolders, type SettingsFile } from './user-file.ts';

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

/** Where the records of one settings file are. */
export interface RecordFiles {
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

export function removeInstallRecord({ recordFile, backupFile }: RecordFiles): void {
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

export function writeRecords(
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
export function findOriginal(
  files: RecordFiles,
  record: InstallRecord | undefined,
  { found }: SettingsFile,
): Buffer | 'no file' | undefined {
  if (record === undefined || found === undefined || !isRestorable(files, record, found.bytes)) return undefined;
  return record.originalSha256 === undefined ? 'no file' : readBackup(files, record);
}
