/**
 * `oncebitten start`: learns from past sessions on a fresh machine, starts the daemon, and reports what the past shows.
 * It reads the newest sessions first and reports after those; the daemon reads the rest in the background. It changes
 * nothing outside the data directory. On a machine without sessions it learns from the samples of the package, apart
 * from the user's own data.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INSTALLS } from '../../../agents/installs.ts';
import type { Store } from '../../../base/contracts/store.ts';
import { dropAbsent } from '../../../base/records.ts';
import { readSettings } from '../../../keep/settings/read-settings.ts';
import { toDataHome } from '../../../loop/home/data-home.ts';
import { findPackageRoot } from '../../../loop/home/program-files.ts';
import { isRepeatedFailure, listFailures } from '../../../loop/measuring/failure-list.ts';
import { readHindsight } from '../../../loop/measuring/hindsight.ts';
import { byNews, listScanFiles, NEWEST_BYTES, type ScanFile } from '../../../loop/scan/scan-files.ts';
import { listUnread, type ScanTotals, scanSessions } from '../../../loop/scan/scan-sessions.ts';
import { ensureDaemon, findDaemon } from '../../daemon/control-daemon.ts';
import { isAgentPresent } from '../../install/agent-place.ts';
import { listHooked } from '../../install/installed-hooks.ts';
import { readStarter } from '../../install/starter-pack.ts';
import type { CommandInput, Handler } from '../command.ts';
import { findOffer } from '../learn/offer.ts';
import { type OpenHome, readHome, withHome } from '../open-home.ts';
import { toPage } from '../paging.ts';
import { makeScanProgress } from '../scan/scan-report.ts';
import { MAX_FAILURES, renderStart, type StartReport } from './start-report.ts';

export const run: Handler = async (input) => {
  const { scanPaths, autoScanIntervalHours } = readSettings(input.home.configFile, input.env);
  const own = listScanFiles({ home: homedir(), env: input.env, scanPaths });
  // An agent removes old sessions; what was recorded of them is still the user's own.
  const sample = own.length === 0 && (await readHome(input, ({ store }) => isEmpty(store)));
  const home = sample ? toDataHome(join(input.home.dir, 'sample')) : input.home;
  const files = sample ? listSampleFiles(input) : own;
  const learned = await withHome({ ...input, home }, async (open) => {
    const { scan, tried } = await readNewest(input, open, files);
    const { store } = open;
    const lessons = await store.listLessons({ status: 'active' });
    const starter = (await readStarter(store)).filter(({ lesson, isAway }) => lesson === undefined || isAway).length;
    const counts = { ...(await store.countAll()), ...(await store.countFailures()) };
    const { kinds, leftOut } = await listFailures(store, {}, false);
    const repeated = { ...toPage(kinds.filter(isRepeatedFailure), {}, MAX_FAILURES), leftOut };
    const hindsight = await readHindsight(store);
    const offer = sample ? undefined : await findOffer(input, open, files);
    const projects = await store.listProjects();
    const history = await measureHistory(store, files, tried);
    return { scan, history, counts, repeated, hindsight, lessons, starter, projects, ...dropAbsent({ offer }) };
  });
  input.progress('Starting the daemon …');
  const { daemon, started } = await ensureDaemon(input.home);
  const hooked = listHooked(input);
  const report: StartReport = {
    sample,
    files: files.length,
    home: input.home.dir,
    dataDir: home.dir,
    ...learned,
    hookedIn: hooked.map(({ place }) => place),
    connectable: listConnectable(input, hooked),
    daemon: { pid: daemon.pid, started, scans: autoScanIntervalHours > 0 },
  };
  return { json: report, text: renderStart(report) };
};

/**
 * Reads the newest sessions that were not read yet. While the daemon reads them, this command does not: two scans would
 * read the same files and wait for each other's writes.
 */
async function readNewest(
  input: CommandInput,
  open: OpenHome,
  files: readonly ScanFile[],
): Promise<{ readonly scan: ScanTotals; readonly tried: readonly ScanFile[] }> {
  const isWithDaemon = await waitForDaemon(input, open.store, files);
  const tried = isWithDaemon ? [] : pickNewest(await listUnread(open.store, files));
  const scan = await scanSessions({ ...open, files: tried, onProgress: makeScanProgress(input.progress) });
  return { scan, tried };
}

/** Longer than this nobody waits for a first report; the daemon goes on after it. */
const WAIT_MS = 3_000;
const LOOK_MS = 200;

/** True if the daemon reads the session files now. Waits until it has read enough for a report, but not for long. */
async function waitForDaemon(
  { home, progress }: CommandInput,
  store: Store,
  files: readonly ScanFile[],
): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const scan = (await findDaemon(home))?.scan;
    if (scan?.isUnderWay !== true) return false;
    const { bytes, bytesRead } = await measureHistory(store, files);
    if (waitedMs >= WAIT_MS || bytesRead >= Math.min(bytes, NEWEST_BYTES)) return true;
    progress('The daemon is reading your newest sessions …');
    await sleep(LOOK_MS);
  }
}

/** A session that alone is larger than the limit is left to the daemon, unless there is no other. */
function pickNewest(unread: Awaited<ReturnType<typeof listUnread>>): readonly ScanFile[] {
  const newest = unread.toSorted((a, b) => byNews(a.file, b.file));
  const small = newest.filter(({ bytes }) => bytes <= NEWEST_BYTES);
  const picked: ScanFile[] = [];
  let sum = 0;
  for (const { file, bytes } of small.length > 0 ? small : newest.slice(0, 1)) {
    if (sum >= NEWEST_BYTES) break;
    picked.push(file);
    sum += bytes;
  }
  return picked.reverse();
}

/** A session that was tried counts as read: it may have grown since, and one that cannot be read is reported as that. */
async function measureHistory(
  store: Store,
  files: readonly ScanFile[],
  tried: readonly ScanFile[] = [],
): Promise<StartReport['history']> {
  const done = new Set(tried.map(({ path }) => path));
  const unread = (await listUnread(store, files)).filter(({ file }) => !done.has(file.path));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return {
    files: files.length,
    filesRead: files.length - unread.length,
    bytes,
    bytesRead: bytes - unread.reduce((sum, one) => sum + one.bytes, 0),
  };
}

/** Those that are on this machine; the first that we know where none is. */
function listConnectable({ env }: CommandInput, hooked: ReturnType<typeof listHooked>): StartReport['connectable'] {
  const present = INSTALLS.filter((agent) => isAgentPresent({ agent, env, home: homedir() }));
  const wanted = present.length === 0 ? INSTALLS.slice(0, 1) : present;
  return wanted
    .filter(({ facts }) => hooked.every(({ agent }) => agent !== facts.id))
    .map(({ facts: { id, name } }) => ({ id, name }));
}

async function isEmpty(store: Store): Promise<boolean> {
  const { sessions, calls } = await store.countAll();
  return sessions + calls === 0;
}

function listSampleFiles({ env }: CommandInput) {
  return listScanFiles({ path: join(findPackageRoot(), 'samples', 'sessions'), home: homedir(), env });
}
