/** Doctor checks of the data directory: it exists, belongs to the user, is private, and has room on its disk. */

import { accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findReadOnly } from '../../../loop/home/read-only-places.ts';
import type { CommandInput } from '../command.ts';
import { type Check, checkThat, type Finding } from './check.ts';

const MB = 1024 * 1024;

/** `hooked`: the agents whose hooks look there. */
export async function checkFiles(
  { home: { dir, appDir, nodeDir, pluginDir } }: CommandInput,
  hooked: readonly string[],
): Promise<readonly Check[]> {
  const folder = await checkThat('data directory', () => checkFolder(dir, hooked));
  if (folder.state !== 'ok') return [folder];
  return [
    folder,
    // Bundles, Node and plugin hold nothing that is anybody's secret.
    await checkThat('permissions', () => checkPermissions(dir, [appDir, nodeDir, pluginDir])),
    await checkThat('disk', () => judgeSpace(readFreeBytes(dir))),
  ];
}

function checkFolder(dir: string, [agent]: readonly string[]): Finding {
  if (!existsSync(dir)) {
    if (agent === undefined)
      return { state: 'advice', detail: `${dir} does not exist yet`, next: 'run: oncebitten start' };
    const next = `create it again: oncebitten install ${agent}; or remove the hooks, too: oncebitten uninstall ${agent}`;
    return { state: 'bad', detail: `${dir} is gone, but hooks still use it, so agents get no lessons`, next };
  }
  if (!statSync(dir).isDirectory())
    return { state: 'bad', detail: `${dir} is not a folder`, next: 'choose another one with --home' };
  const readOnly = findReadOnly(dir);
  if (readOnly !== undefined) {
    const detail = `${dir} ${readOnly.reason}. Nothing new is captured or learned`;
    return { state: 'bad', detail, next: `${readOnly.next}; or use another data directory: --home DIR` };
  }
  try {
    accessSync(dir, constants.R_OK | constants.X_OK);
    return { state: 'ok', detail: dir };
  } catch {
    return { state: 'bad', detail: `${dir} cannot be read`, next: `make it yours: chown and chmod u+rwx ${dir}` };
  }
}

function checkPermissions(dir: string, except: readonly string[]): Finding {
  if (process.platform === 'win32') return { state: 'ok', detail: 'not checked on Windows' };
  const entries = listEntries(dir, except);
  const strange = entries.filter(({ uid }) => process.getuid?.() !== 0 && uid !== process.getuid?.());
  const open = entries.filter(({ mode }) => (mode & 0o077) !== 0);
  const data = { strange: strange.map(({ path }) => path), open: open.map(({ path }) => path) };
  if (strange[0] !== undefined) {
    const detail = `${toCount(strange.length)} not yours, e.g. ${strange[0].path}`;
    return { state: 'bad', detail, next: `sudo chown -R "$(id -un)" ${dir}`, data };
  }
  if (open[0] === undefined)
    return { state: 'ok', detail: `${entries.length} files and folders, readable by you only` };
  // An open file inside a private folder is not reachable for others.
  const isReachable = open.some(({ path }) => path === dir);
  const detail = `${toCount(open.length)} open to others, e.g. ${open[0].path}${isReachable ? '' : ' (inside a private folder)'}`;
  return { state: isReachable ? 'bad' : 'advice', detail, next: `chmod -R go-rwx ${dir}`, data };
}

function toCount(n: number): string {
  return n === 1 ? '1 is' : `${n} are`;
}

function readFreeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}

export function judgeSpace(freeBytes: number): Finding {
  const data = { freeBytes };
  const detail = `${Math.floor(freeBytes / MB)} MB free`;
  const next = 'free some space: when the disk is full, Oncebitten captures and learns nothing new';
  if (freeBytes < 50 * MB) return { state: 'bad', detail, next, data };
  return freeBytes < 500 * MB ? { state: 'advice', detail, next, data } : { state: 'ok', detail, data };
}

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
}

/** Maximum number of entries to check, because a spool may contain very many. */
const MAX_ENTRIES = 10_000;

/** Files and folders under a folder, itself first, with owner and mode. */
function listEntries(dir: string, except: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  const waiting = [dir];
  for (let path = waiting.shift(); path !== undefined && entries.length < MAX_ENTRIES; path = waiting.shift()) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Gone since it was listed, or a link, whose own mode means nothing.
    if (stats === undefined || stats.isSymbolicLink() || except.includes(path)) continue;
    entries.push({ path, mode: stats.mode, uid: stats.uid });
    if (stats.isDirectory()) waiting.push(...listPaths(path));
  }
  return entries;
}

function listPaths(dir: string): readonly string[] {
  try {
    return readdirSync(dir).map((name) => join(dir, name));
  } catch {
    return [];
  }
}
