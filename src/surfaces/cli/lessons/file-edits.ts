/**
 * Edits several files as one: each edit is computed from the bytes on disk and written only while they are unchanged,
 * and a failure brings the old bytes back. A dry run sees its own edits and writes none. A file with hard links is
 * written in place, because a rename would turn its names into two files.
 */

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { toReason, type UserError } from '../../../base/errors.ts';
import {
  changeSettingsFile,
  checkWritable,
  deleteSettingsFile,
  findMissingFolders,
  isUnchanged,
  readSettingsFile,
  type SettingsFile,
  writeSettingsFile,
} from '../../install/user-file.ts';
import { userError } from '../errors.ts';

interface FileEdit {
  /** Where the bytes are, past links. */
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** How many other names it has (hard links): it changes under these too. */
  readonly otherNames: number;
}

export interface FileEdits {
  /**
   * `change` gets the bytes, undefined where there is no file, and gives the new ones; undefined when the file should go,
   * with these folders as far as they are empty. What it throws comes out; nothing has happened then. Resolves to the
   * folders that were made.
   */
  edit(name: string, change: (bytes: Buffer | undefined) => Buffer | undefined, folders?: readonly string[]): Edited;
  /** One for each file, from what it was to what it is. */
  list(): readonly FileEdit[];
  undo(): void;
}

interface Edited {
  /** Undefined where the file was there. */
  readonly madeFolders: readonly string[] | undefined;
}

interface EditRules {
  readonly root: string;
  readonly dryRun: boolean;
  /** Also through a link that leads out of the root. */
  readonly force: boolean;
}

type KeptEdit = FileEdit & { readonly madeFolders: readonly string[] };

export function openFileEdits(rules: EditRules): FileEdits {
  const edits = new Map<string, KeptEdit>();
  return {
    edit(name, change, folders = []) {
      return changeSettingsFile(name, (read) => {
        checkInside(read, rules);
        if (!rules.dryRun) tidy(read);
        const known = edits.get(read.path);
        // Of a dry run nothing is on the disk.
        const bytes = known !== undefined && rules.dryRun ? known.after : read.found?.bytes;
        const after = change(bytes);
        if (isSame(bytes, after)) return { madeFolders: undefined };
        const missing = findMissingFolders(read.path);
        checkWritable(read);
        if (!rules.dryRun && !write(read, after, folders)) return undefined;
        const otherNames = countOtherNames(read);
        const first = { path: read.path, before: bytes, madeFolders: missing, otherNames };
        edits.set(read.path, { ...(known ?? first), after });
        return { madeFolders: bytes === undefined ? missing : undefined };
      });
    },
    list: () => [...edits.values()].map(({ madeFolders: _, ...edit }) => edit),
    undo() {
      if (rules.dryRun) return;
      for (const one of edits.values()) restore(one);
    },
  };
}

function write(read: SettingsFile, after: Buffer | undefined, folders: readonly string[]): boolean {
  if (after !== undefined && read.found !== undefined && countOtherNames(read) > 0)
    return writeFileInPlace(read, read.found.bytes, after);
  if (after !== undefined) return writeSettingsFile(read, after);
  return read.found === undefined || deleteSettingsFile(read, folders);
}

function tidy(read: SettingsFile): void {
  checkUninterrupted(read);
  removeLeftovers(read.path);
}

function countOtherNames({ found }: SettingsFile): number {
  return (found?.stats.nlink ?? 1) - 1;
}

function checkInside({ name, path }: SettingsFile, { root, force }: EditRules): void {
  if (force || path.startsWith(`${realpathSync(root)}${sep}`)) return;
  throw userError(name, `is a link that leads out of the project, to ${path}`, 'if that file is meant, use --force');
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

/** Does not overwrite a change that was made meanwhile. */
function restore({ path, before, after, madeFolders }: KeptEdit): void {
  try {
    const read = readSettingsFile(path);
    if (!isSame(read.found?.bytes, after)) return;
    write(read, before, madeFolders);
  } catch {
    // The trouble that we are backing out of.
  }
}

const ENDING = '.before';

/**
 * Writes a file that has other names (hard links) where it is: renamed into place, the names would be two files from
 * then on. A reader may see it half written for a moment, so this is only for what cannot be renamed. What was there
 * is on the disk beside it until all is done: it comes back when writing fails, and a person finds it when the
 * process died. False when the file is no longer what was read; nothing is changed then.
 */
function writeFileInPlace(file: SettingsFile, before: Buffer, after: Buffer): boolean {
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
function checkUninterrupted({ path, found }: SettingsFile): void {
  if (found === undefined) return;
  const [folder, start] = [dirname(path), `.${basename(path)}.`];
  for (const name of list(folder).filter((one) => one.startsWith(start) && one.endsWith(ENDING))) {
    const copy = join(folder, name);
    if (!readFileSync(copy).equals(found.bytes))
      throw userError(
        path,
        `was being written when a process died; what was in it before is in ${copy}`,
        `compare the two, put the right one into ${basename(path)}, and remove the other`,
      );
    rmSync(copy, { force: true });
  }
}

/** Does not truncate the file first, so that it stays readable if the disk is full. */
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
  return userError(
    name,
    `cannot be written (${toReason(cause)})`,
    `Make the file and its folder writable for you, then run the command again. ${rest}`,
    cause,
  );
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** As `writeFileAtomically` names them. */
const REST = /^\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;
/** A younger one may be at work still: it takes a moment. */
const AGE_MS = 5_000;

/** What a process that was killed left beside a file: the copy that it was about to put in its place. */
function removeLeftovers(path: string): void {
  const [folder, start] = [dirname(path), `.${basename(path)}`];
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(start) || !REST.test(name.slice(start.length))) continue;
      const leftover = join(folder, name);
      if (Date.now() - statSync(leftover).mtimeMs > AGE_MS) rmSync(leftover, { force: true });
    }
  } catch {
    // The folder is missing or not writable; the edit does not depend on it.
  }
}
