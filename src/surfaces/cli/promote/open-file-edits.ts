/**
 * Edits of files that belong together: each is worked out from the bytes that are there and done only while they still are;
 * what was there comes back when something fails. A dry run sees its own edits and writes none.
 */
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import {
  changeSettingsFile,
  checkWritable,
  deleteSettingsFile,
  findMissingFolders,
  writeSettingsFile,
} from '../../install/change-settings-file.ts';
import { readSettingsFile, type SettingsFile } from '../../install/read-settings-file.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { checkUninterrupted, writeFileInPlace } from './write-file-in-place.ts';

export interface FileEdit {
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

export interface Edited {
  /** Undefined where the file was there. */
  readonly madeFolders: readonly string[] | undefined;
}

export interface EditRules {
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
  throw new UserError({
    subject: name,
    reason: `is a link that leads out of the project, to ${path}`,
    next: 'if that file is meant, use --force',
  });
}

export function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

/** Not over what somebody wrote meanwhile. */
function restore({ path, before, after, madeFolders }: KeptEdit): void {
  try {
    const read = readSettingsFile(path);
    if (!isSame(read.found?.bytes, after)) return;
    write(read, before, madeFolders);
  } catch {
    // The trouble that we are backing out of.
  }
}
