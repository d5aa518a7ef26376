/** Removes what a restore that was killed left beside the store. It holds what a store holds. */
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MARK = '.restore-';

export function toRestoreDraft(file: string): string {
  return `${file}${MARK}${process.pid}.tmp`;
}

/** Nobody may be restoring now. */
export function removeRestoreDrafts(file: string): void {
  for (const name of listNames(dirname(file)))
    if (name.startsWith(basename(file) + MARK)) rmSync(join(dirname(file), name), { force: true });
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
