/** Files written and removed as one: what was there comes back when something fails, here or in the store. */
import { mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { toReason, UserError } from '../../../base/errors.ts';
import { writeFileAtomically } from '../../write-file-atomically.ts';

export interface FileChanges {
  write(path: string, text: string): void;
  remove(path: string): void;
  /** Gives back what was there before the first change. */
  undo(): void;
}

export function openFileChanges(): FileChanges {
  const before = new Map<string, Buffer | undefined>();
  const attempt = (path: string, change: () => void): void => {
    try {
      if (!before.has(path)) before.set(path, findBytes(path));
      change();
    } catch (cause) {
      const next = 'check that the folder may be written; nothing was changed';
      throw new UserError({ subject: path, reason: `cannot be changed (${toReason(cause)})`, next, cause });
    }
  };
  return {
    write: (path, text) => attempt(path, () => put(path, Buffer.from(text))),
    remove: (path) => attempt(path, () => drop(path)),
    undo() {
      for (const [path, bytes] of before) {
        try {
          if (bytes === undefined) drop(path);
          else put(path, bytes);
        } catch {
          // The same trouble that we are backing out of: it never got that far then.
        }
      }
    },
  };
}

function put(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomically({ path, bytes, mode: 0o644 });
}

/** With the folders that only held it: `.oncebitten/lessons`, `.oncebitten`. */
function drop(path: string): void {
  rmSync(path, { force: true });
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function findBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
