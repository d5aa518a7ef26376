/**
 * Doctor checks of what is in the data directory: settings, store, manifest, daemon and spool; and of the directory
 * itself: it exists, belongs to the user, is private, and has room on its disk.
 */

import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listSpool } from '../../../capture/journal/spool-files.ts';
import { readCheckedSettings } from '../../../keep/settings/read-settings.ts';
import { readDaemonFaults } from '../../../loop/home/daemon-fault.ts';
import type { DataHome } from '../../../loop/home/data-home.ts';
import { readBuildVersion } from '../../../loop/home/program-files.ts';
import { findReadOnly } from '../../../loop/home/read-only-places.ts';
import { openManifest, readManifest } from '../../../match/manifest.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { findDaemon, lookForDaemon } from '../../daemon/control-daemon.ts';
import type { CommandInput } from '../command.ts';
import { renderIgnored } from '../config/show.ts';
import { describeUpkeep } from '../data/retention.ts';
import { userError } from '../errors.ts';
import { renderScanStatus } from '../scan/scan-report.ts';
import { toCount } from '../text.ts';
import { advice, bad, type Check, checkThat, type Finding, ok } from './check.ts';
import { checkStore } from './check-store.ts';

/** A running daemon takes what waits every few seconds. */
const OLD_MS = 60_000;

/** `isHooked`: some agent has our hooks. */
export async function checkParts(input: CommandInput, isHooked: boolean): Promise<readonly Check[]> {
  const { home, env } = input;
  if (!statSync(home.dir, { throwIfNoEntry: false })?.isDirectory()) return [];
  const settings = await checkThat('settings', () => {
    const ignored = readCheckedSettings(home.configFile, env).ignored.filter(({ line }) => line !== undefined);
    if (ignored[0] !== undefined) {
      const next = 'correct the line, remove it, or use the default data directory';
      return advice(`${home.configFile}: ${ignored.map(renderIgnored).join('; ')}`, next);
    }
    return existsSync(home.configFile) ? home.configFile : 'defaults';
  });
  await waitForStart(home);
  const store = settings.state !== 'bad' ? [await checkThat('store', () => checkStore(input))] : [];
  return [
    settings,
    ...store,
    await checkThat('lessons file', () => checkManifest(home.manifestFile)),
    await checkThat('daemon', () => checkDaemon(home, isHooked)),
    await checkThat('waiting events', () => checkSpool(home)),
    ...describeUpkeep(home).map((one): Check => ({ state: 'advice', ...one })),
  ];
}

/** A daemon answers before it has opened its store: what it is about to make must not be reported as missing. */
async function waitForStart(home: DataHome): Promise<void> {
  if (!existsSync(home.manifestFile)) await askDaemon(home, 'flush');
}

function checkManifest(file: string): string | Finding {
  const next = 'run: oncebitten scan';
  if (!existsSync(file)) return advice('no lessons yet', next);
  const manifest = openManifest(readFileSync(file));
  if (manifest === undefined) {
    const reason = `is broken or from another version${readManifest(file) === undefined ? '' : '; hooks use its spare copy'}`;
    throw userError(file, reason, next);
  }
  return `${toCount(manifest.header.count, 'lesson')} ready to be shown; written ${manifest.header.generatedAt}`;
}

async function checkDaemon(home: DataHome, isHooked: boolean): Promise<string | Finding> {
  const next = 'run: oncebitten daemon start';
  const { daemon, silent } = await lookForDaemon(home);
  if (silent !== undefined)
    return bad(`process ${silent.pid} does not answer`, 'run: oncebitten daemon stop; the next hook starts another');
  if (daemon === undefined)
    return isHooked
      ? advice('not running; the next call of an agent starts it', next)
      : { state: 'advice', detail: 'not running; it starts when you connect an agent' };
  const version = readBuildVersion();
  if (daemon.version !== version) return bad(`runs version ${daemon.version}, but this is version ${version}`, next);
  const [trouble] = readDaemonFaults(home);
  if (trouble !== undefined) {
    const remedy = trouble.next ?? `read its log: ${home.logFile}`;
    return bad(`has had a fault since ${trouble.since}: ${trouble.text}`, remedy);
  }
  const scan = daemon.scan === undefined ? '' : `. ${renderScanStatus(daemon.scan)}`;
  const { variables = [] } = daemon;
  const set =
    variables.length === 0
      ? ''
      : `, with ${variables.join(', ')} from the shell that started it (they override your settings until it stops)`;
  const detail = `process ${daemon.pid}, version ${daemon.version}, since ${daemon.startedAt}${set}${scan}`;
  return ok(detail, { variables });
}

async function checkSpool(home: DataHome): Promise<string | Finding> {
  const names = listSpool(home.spoolDir);
  const times = names.flatMap((name) => statSync(join(home.spoolDir, name), { throwIfNoEntry: false })?.mtimeMs ?? []);
  if (times.length === 0) return 'no events are waiting to be stored';
  const ageMs = Date.now() - Math.min(...times);
  const data = { waiting: times.length, oldestMs: Math.round(ageMs) };
  const detail = `${toCount(times.length, 'event')} from hooks ${times.length === 1 ? 'waits' : 'wait'} to be stored, the oldest for ${Math.round(ageMs / 1000)} s`;
  if (ageMs < OLD_MS) return ok(detail, data);
  if ((await findDaemon(home)) === undefined) return advice(detail, 'run: oncebitten daemon start', data);
  return bad(`${detail}, and the daemon does not store them`, `read its log: ${home.logFile}`, data);
}

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
    // Bundles, Node and plugin contain no secrets.
    await checkThat('permissions', () => checkPermissions(dir, [appDir, nodeDir, pluginDir])),
    await checkThat('disk', () => judgeSpace(readFreeBytes(dir))),
  ];
}

function checkFolder(dir: string, [agent]: readonly string[]): Finding {
  if (!existsSync(dir)) {
    if (agent === undefined) return advice(`${dir} does not exist yet`, 'run: oncebitten start');
    const next = `create it again: oncebitten install ${agent}; or remove the hooks, too: oncebitten uninstall ${agent}`;
    return bad(`${dir} is gone, but hooks still use it, so agents get no lessons`, next);
  }
  if (!statSync(dir).isDirectory()) return bad(`${dir} is not a folder`, 'choose another one with --home');
  const readOnly = findReadOnly(dir);
  if (readOnly !== undefined) {
    const detail = `${dir} ${readOnly.reason}. Nothing new is captured or learned`;
    return bad(detail, `${readOnly.next}; or use another data directory: --home DIR`);
  }
  try {
    accessSync(dir, constants.R_OK | constants.X_OK);
    return ok(dir);
  } catch {
    return bad(`${dir} cannot be read`, `make it yours: chown and chmod u+rwx ${dir}`);
  }
}

function checkPermissions(dir: string, except: readonly string[]): Finding {
  if (process.platform === 'win32') return ok('not checked on Windows');
  const entries = listEntries(dir, except);
  const strange = entries.filter(({ uid }) => process.getuid?.() !== 0 && uid !== process.getuid?.());
  const open = entries.filter(({ mode }) => (mode & 0o077) !== 0);
  const data = { strange: strange.map(({ path }) => path), open: open.map(({ path }) => path) };
  if (strange[0] !== undefined) {
    const detail = `${toAre(strange.length)} not yours, e.g. ${strange[0].path}`;
    return bad(detail, `sudo chown -R "$(id -un)" ${dir}`, data);
  }
  if (open[0] === undefined) return ok(`${entries.length} files and folders, readable by you only`);
  // An open file inside a private folder is not reachable for others.
  const isReachable = open.some(({ path }) => path === dir);
  const detail = `${toAre(open.length)} open to others, e.g. ${open[0].path}${isReachable ? '' : ' (inside a private folder)'}`;
  return { state: isReachable ? 'bad' : 'advice', detail, next: `chmod -R go-rwx ${dir}`, data };
}

function toAre(n: number): string {
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
  if (freeBytes < 50 * MB) return bad(detail, next, data);
  return freeBytes < 500 * MB ? advice(detail, next, data) : ok(detail, data);
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
