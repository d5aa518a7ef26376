/**
 * Writes a file that has other names (hard links) where it is: renamed into place, the names would be two files from then
 * on. A reader may see it half written for a moment, so this is only for what cannot be renamed. What was there is on the
 * disk beside it until all is done: it comes back when writing fails, and a person finds it when the process died.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { toReason, UserError } from '../../../base/errors.ts';
import { isUnchanged, type SettingsFile } from '../../install/read-settings-file.ts';

const ENDING = '.before';

/** False when the file is no longer what was read; nothing is changed then. */
export function writeFileInPlace(file: SettingsFile, before: Buffer, after: Buffer): boolean {
  const { path } = file;
  const copy = join(dirname(path), `.${basename(path)}.${randomUUID()}${ENDING}`);
  let isSafe = true;
  try {
    put(copy, 'wx', before);
    if (!isUnchanged(file)) return false;
    isSafe = false;
    put(path, 'r+', after);
    isSafe = true;
  } catch (cause) {
    if (!isSafe) isSafe = giveBack(path, before);
    throw toError(file, cause, isSafe ? undefined : copy);
  } finally {
    if (isSafe) rmSync(copy, { force: true });
  }
  return true;
}

/** A process died in the middle: only a person can say which of the two is right. */
export function checkUninterrupted({ path, found }: SettingsFile): void {
  if (found === undefined) return;
  const [folder, start] = [dirname(path), `.${basename(path)}.`];
  for (const name of list(folder).filter((one) => one.startsWith(start) && one.endsWith(ENDING))) {
    const copy = join(folder, name);
    if (!readFileSync(copy).equals(found.bytes))
      throw new UserError({
        subject: path,
        reason: `was being written when a process died; what was in it before is in ${copy}`,
        next: `compare the two, put the right one into ${basename(path)}, and remove the other`,
      });
    rmSync(copy, { force: true });
  }
}

/** Not emptied first: where there is no room for more, what is there stays readable. */
function put(path: string, flags: 'wx' | 'r+', bytes: Buffer): void {
  const handle = openSync(path, flags, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, bytes.length - at, at);
    ftruncateSync(handle, bytes.length);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function giveBack(path: string, before: Buffer): boolean {
  try {
    put(path, 'r+', before);
    return true;
  } catch {
    return false;
  }
}

function toError({ name }: SettingsFile, cause: unknown, copy: string | undefined): UserError {
  const rest = copy === undefined ? 'Nothing was changed.' : `What was in it before is in ${copy}.`;
  return new UserError({
    subject: name,
    reason: `cannot be written (${toReason(cause)})`,
    next: `Make the file and its folder writable for you, then run the command again. ${rest}`,
    cause,
  });
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
