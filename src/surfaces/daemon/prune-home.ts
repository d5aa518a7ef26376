/**
 * Removes what nobody needs any more: claims and notes of sessions long over, bundles of versions long replaced. By age
 * only while the clock can be trusted; the next start does it then.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { removeBackupDrafts } from '../../keep/backup/backup-files.ts';
import { removeRestoreDrafts } from '../../keep/store/remove-restore-drafts.ts';
import type { DataHome } from '../data-home.ts';
import { readShim } from '../hook/render-shim.ts';
import { readTrustedNow } from '../trusted-clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;
/** As long as facts are kept. Who goes on with a session so old is asked for its transcript. */
const LONG_MS = 400 * DAY_MS;

export function pruneHome(home: DataHome, nowMs = readTrustedNow(home)): void {
  // Of a restore that was killed: whoever restores holds the lock that the daemon has now.
  removeRestoreDrafts(home.storeFile);
  if (nowMs === undefined) return;
  for (const dir of [home.claimsDir, home.pastDir]) pruneFolder(dir, nowMs - WEEK_MS);
  // Never those that this daemon or the hooks run from. Another version's may still be in use by a hook of last week.
  const shim = existsSync(home.hookFile) ? readShim(home.hookFile) : undefined;
  pruneFolder(home.appDir, nowMs - WEEK_MS, [import.meta.dirname, ...(shim === undefined ? [] : [shim.app])]);
  pruneFolder(home.awayDir, nowMs - LONG_MS);
  removeBackupDrafts(home, nowMs - DAY_MS);
}

function pruneFolder(dir: string, beforeMs: number, inUse: readonly string[] = []): void {
  for (const path of listPaths(dir).filter(
    (one) => !inUse.some((used) => `${used}${sep}`.startsWith(`${one}${sep}`)),
  )) {
    try {
      if (statSync(path).mtimeMs < beforeMs) rmSync(path, { recursive: true, force: true });
    } catch {
      // Gone meanwhile, or not ours to remove: it will be looked at again.
    }
  }
}

function listPaths(dir: string): readonly string[] {
  try {
    return readdirSync(dir).map((name) => join(dir, name));
  } catch {
    return [];
  }
}
