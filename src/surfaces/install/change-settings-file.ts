/**
 * Changes a settings file that its agent may be writing at the same moment: the change is worked out from the bytes
 * read, and done only while they are still there; otherwise everything starts over.
 */
import { accessSync, constants, existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { toReason, UserError } from '../../base/errors.ts';
import { writeFileAtomically } from '../write-file-atomically.ts';
import { isUnchanged, readSettingsFile, type SettingsFile } from './read-settings-file.ts';

const TRIES = 10;

/** `change` gives undefined when `writeSettingsFile` or `deleteSettingsFile` gave false. */
export function changeSettingsFile<T>(settingsFile: string, change: (file: SettingsFile) => T | undefined): T {
  for (let tries = 0; tries < TRIES; tries++) {
    const result = change(readSettingsFile(settingsFile));
    if (result !== undefined) return result;
  }
  throw new UserError({
    subject: settingsFile,
    reason: 'is being changed by another program again and again',
    next: 'Close the agent that uses it, then run the command again.',
  });
}

/** Fails before anything is done where writing could not succeed, or was forbidden on purpose. */
export function checkWritable({ name, path, found }: SettingsFile): void {
  const [outermost] = findMissingFolders(path);
  const folder = dirname(outermost ?? path);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (found !== undefined) accessSync(path, constants.W_OK);
  } catch (thrown) {
    throw toWriteError(name, thrown);
  }
}

/** Folders on the way to a file that are not there yet, outermost first. */
export function findMissingFolders(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) ? [] : [...findMissingFolders(folder), folder];
}

/** False when the file is no longer what was read. */
export function writeSettingsFile(file: SettingsFile, bytes: Buffer): boolean {
  const madeFolders = findMissingFolders(file.path);
  try {
    mkdirSync(dirname(file.path), { recursive: true });
    return writeFileAtomically({
      path: file.path,
      bytes,
      mode: 0o666,
      like: file.found?.stats,
      mayReplace: () => isUnchanged(file),
    });
  } catch (thrown) {
    removeEmptyFolders(madeFolders);
    throw thrown instanceof UserError ? thrown : toWriteError(file.name, thrown);
  }
}

/** With the folders that we had made for it, as far as they are empty. False when the file is no longer what was read. */
export function deleteSettingsFile(file: SettingsFile, madeFolders: readonly string[]): boolean {
  if (!isUnchanged(file)) return false;
  try {
    rmSync(file.path);
  } catch (thrown) {
    throw toWriteError(file.name, thrown);
  }
  removeEmptyFolders(madeFolders);
  return true;
}

function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Something else is in it by now, or it is gone: either way it is no longer ours to remove.
      return;
    }
  }
}

function toWriteError(subject: string, thrown: unknown): UserError {
  return new UserError({
    subject,
    reason: `cannot be written (${toReason(thrown)})`,
    next: 'Make the file and its folder writable for you, then run the command again. Nothing was changed.',
    cause: thrown,
  });
}
