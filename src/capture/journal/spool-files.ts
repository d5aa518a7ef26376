/**
 * The files that wait in the spool folder: spooled facts, and journal segments that a daemon left behind. Their lines are
 * read by `read-facts.ts`.
 */

import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SPOOL_SUFFIX } from '../../base/model/fact.ts';

/** The names of the waiting files, oldest first, because names begin with the time. */
export function listSpool(dir: string): readonly string[] {
  return listBySuffix(dir, SPOOL_SUFFIX);
}

export function listBySuffix(dir: string, suffix: string): readonly string[] {
  return listNames(dir)
    .filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
    .sort();
}

export function removeSpooled(dir: string, name: string): void {
  rmSync(join(dir, name), { force: true });
}

/** A journal segment has the format of a spool file, so after the renaming any daemon drains it. */
export function spoolSegment(dir: string, segment: string): void {
  renameSync(join(dir, segment), join(dir, segment + SPOOL_SUFFIX));
}

/** Removes temporary files of writers that were killed; they are incomplete and were never acknowledged. */
export function removeDrafts(dir: string, beforeMs: number): void {
  for (const name of listNames(dir).filter((one) => one.startsWith('.out_'))) {
    const modifiedMs = statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? beforeMs;
    if (modifiedMs < beforeMs) removeSpooled(dir, name);
  }
}

function listNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
