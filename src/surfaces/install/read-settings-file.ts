/**
 * Reads a settings file with all that is needed to write it back as it was: where it really is (past symlinks), its
 * bytes, its mode and its owner.
 */
import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { toReason, UserError } from '../../base/errors.ts';

export interface SettingsFile {
  /** As the caller named it, for messages. */
  readonly name: string;
  /** Where the bytes are; a symlink on the way stays one. The same before and after the file is made. */
  readonly path: string;
  /** Undefined: there is no such file. */
  readonly found: FoundFile | undefined;
}

export interface FoundFile {
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
