/**
 * Reads, writes and deletes a settings file of an agent, with everything needed to write it back as it was: its real
 * path (past symlinks), bytes, mode, owner and byte order mark. The agent may write the file at the same moment, so a
 * change is written only while the bytes that were read are still there; otherwise it starts over.
 */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toReason, UserError } from '../../base/errors.ts';
import { writeFileAtomically } from '../../loop/home/write-file.ts';

export interface SettingsFile {
  /** As the caller named it, for messages. */
  readonly name: string;
  /** Where the bytes are; a symlink on the way stays one. The same before and after the file is made. */
  readonly path: string;
  /** Undefined: there is no such file. */
  readonly found: FoundFile | undefined;
}

interface FoundFile {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

export function readSettingsFile(name: string): SettingsFile {
  try {
    const path = readRealPath(resolve(name));
    return { name, path, found: readFound(path, name) };
  } catch (thrown) {
    if (thrown instanceof UserError) throw thrown;
    throw new UserError({
      subject: name,
      reason: `cannot be read (${toReason(thrown)})`,
      next: 'Check the path and its permissions, then run the command again.',
      cause: thrown,
    });
  }
}

/** Whether the file still is what was read: agents write their settings too, and know nothing of our lock. */
export function isUnchanged(file: SettingsFile): boolean {
  const now = readFound(file.path, file.name)?.bytes;
  const then = file.found?.bytes;
  return now === undefined || then === undefined ? now === then : now.equals(then);
}

function readFound(path: string, name: string): FoundFile | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // Reading a pipe would wait forever.
  if (!stats.isFile()) {
    throw new UserError({ subject: name, reason: 'is not a file', next: 'Move it away, then run the command again.' });
  }
  return { bytes: readFileSync(path), stats };
}

/** Like realpath, for a path whose end may be missing, also behind a symlink. */
function readRealPath(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return dirname(path) === path ? path : join(readRealPath(dirname(path)), basename(path));
  if (stats.isSymbolicLink() && statSync(path, { throwIfNoEntry: false }) === undefined) {
    return readRealPath(resolve(dirname(path), readlinkSync(path)));
  }
  return realpathSync(path);
}

const TRIES = 10;

/**
 * Changes a settings file that its agent may be writing at the same moment: the change is worked out from the bytes
 * read, and done only while they are still there; otherwise everything starts over. `change` gives undefined when
 * `writeSettingsFile` or `deleteSettingsFile` gave false.
 */
export function changeSettingsFile<T>(settingsFile: string, change: (file: SettingsFile) => T | undefined): T {
  for (let tries = 0; tries < TRIES; tries++) {
    const result = change(readSettingsFile(settingsFile));
    if (result !== undefined) return result;
  }
  throw new UserError({
    subject: settingsFile,
    reason: 'keeps being changed by another program',
    next: 'Close that program, then run the command again.',
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

interface SettingsText {
  readonly mark: '' | '\uFEFF';
  /** For no file and a blank file: an empty object, or what the format has for it. */
  readonly text: string;
}

/** Fails on bytes that are not UTF-8: written back they would not be the same. */
export function getSettingsText({ name, found }: SettingsFile, blank = '{}\n'): SettingsText {
  const all = decode(name, found?.bytes);
  const mark = all.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = all.slice(mark.length);
  return { mark, text: text.trim() === '' ? blank : text };
}

/**
 * The text of a settings file, apart from its byte order mark, which the JSON parser does not know; and back to bytes.
 */
export function toSettingsBytes({ mark, text }: SettingsText): Buffer {
  return Buffer.from(mark + text, 'utf8');
}

function decode(name: string, bytes: Buffer | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new UserError({
      subject: name,
      reason: 'is not UTF-8 text',
      next: 'Save it as UTF-8, then run the command again. Nothing was changed.',
      cause,
    });
  }
}

const WAIT_MS = 10_000;

export function withInstallLock<T>(folder: string, run: () => T): T {
  const database = lock(folder);
  try {
    return run();
  } finally {
    database.close();
  }
}

function lock(folder: string): DatabaseSync {
  const file = makeLockFile(folder);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: WAIT_MS });
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (thrown) {
    database?.close();
    throw new UserError({
      subject: folder,
      reason: `another command is changing it (${toReason(thrown)}); nothing was changed`,
      next: 'wait until that command has ended, then run the command again',
      cause: thrown,
    });
  }
}

function makeLockFile(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Also one that was there: the settings whose originals lie in it may hold secrets.
    chmodSync(folder, 0o700);
    const file = join(folder, 'install.lock');
    closeSync(openSync(file, 'a', 0o600));
    return file;
  } catch (thrown) {
    throw new UserError({
      subject: folder,
      reason: `cannot be written (${toReason(thrown)}); nothing was changed`,
      next: 'check the owner and the permissions of the data directory, or name another one with --home',
      cause: thrown,
    });
  }
}
