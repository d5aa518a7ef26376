/**
 * Runs the daemon from start to end: take the lock, prune the data directory, open the door, register, answer hooks,
 * and leave nothing behind. Pruning by age waits until the clock can be trusted.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { toReason } from '../../base/errors.ts';
import { makeId } from '../../base/ids.ts';
import { DEFAULT_SETTINGS } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';
import { removeBackupDrafts } from '../../keep/backup/backup-files.ts';
import { makeSettingsFinder, type SettingsFinder } from '../../keep/settings/read-settings.ts';
import { SETTING_KEYS } from '../../keep/settings/setting-keys.ts';
import { removeRestoreDrafts } from '../../keep/store/engines/restore-source.ts';
import { type DataHome, toHttpFile } from '../../loop/home/data-home.ts';
import { readBuildVersion } from '../../loop/home/program-files.ts';
import { writeOwnFile } from '../../loop/home/write-file.ts';
import { readTrustedNow } from '../../loop/upkeep/trusted-clock.ts';
import { readShim } from '../hook/render-shim.ts';
import { type HttpListener, openHttpListener } from '../http/open-listener.ts';
import { makeHookAnswerer } from './answer-hook.ts';
import type { DaemonStatus, Registration } from './ask-daemon.ts';
import { mendStarters } from './deploy-app.ts';
import { type Log, openLog, openTroubles, type Troubles } from './faults.ts';
import { holdLock, type Lock } from './locks.ts';
import { type Keeper, openKeeper } from './open-keeper.ts';
import { type Door, type Secrets, serveHooks } from './serve-hooks.ts';

interface DaemonOptions {
  /** How long the daemon of another host may be silent before this one takes the store. */
  readonly ownerPatienceMs?: number;
}

interface Parts {
  readonly home: DataHome;
  readonly id: string;
  readonly lock: Lock;
  readonly log: Log;
  readonly troubles: Troubles;
  readonly keeper: Keeper;
}

const OWNER_PATIENCE_MS = 120_000;
/** How often it checks that its data directory still exists. */
const WATCH_MS = 1_000;

export async function runDaemon(home: DataHome, options: DaemonOptions = {}): Promise<void> {
  const lock = holdLock(home.lockFile);
  if (lock === undefined) {
    // The other daemon runs. If it dies, the mark of this start must not keep hooks from starting a new one.
    if (existsSync(home.doorFile)) rmSync(home.startingFile, { force: true });
    return;
  }
  const id = makeId('dmn', Date.now());
  const log = openLog(home.logFile);
  // Write the current paths of Node and the data directory into the hook file, so that hooks need not search for them.
  // Do it before old bundles are removed, because this path shows which bundles hooks use.
  try {
    const { movedFrom, goneNode } = mendStarters(home);
    if (movedFrom !== undefined)
      log(`the data directory was moved here from ${movedFrom}: hooks use the new place now`);
    if (goneNode !== undefined) log(`hooks use ${process.execPath} now: the Node that they used is gone`);
  } catch (error) {
    // The disk is full or read-only. Hooks search for the paths themselves, and the daemon still answers.
    log(`the hook file could not be written again: ${toReason(error)}`);
  }
  pruneHome(home);
  const troubles = openTroubles(home, log);
  const { ownerPatienceMs = OWNER_PATIENCE_MS } = options;
  const keeper = openKeeper({ home, daemonId: id, log, troubles, ownerPatienceMs });
  await answerHooks({ home, id, lock, log, troubles, keeper });
}

async function answerHooks(parts: Parts): Promise<void> {
  const { home, lock, keeper, troubles, log } = parts;
  const secrets: Secrets = { ask: randomBytes(16).toString('hex'), answer: randomBytes(16).toString('hex') };
  const findSettings = openSettings(home, log);
  const control = async (request: string): Promise<unknown> => {
    if (request === 'flush') return { flushed: await keeper.flush() };
    if (request === 'stop') setImmediate(stop);
    const [owner, scan, httpPort] = [keeper.findOwner(), keeper.findScan(), http.findPort()];
    return {
      ...registration,
      troubles: troubles.list(),
      ...dropAbsent({ owner, scan, httpPort }),
    } satisfies DaemonStatus;
  };
  const http = openHttpListener({ home, log });
  const hooks = makeHookAnswerer({ home, keeper, log, findSettings });
  const door = await serveHooks(secrets, { hooks, control });
  const registration = register(parts, door, secrets);
  let [grown, grownMs] = [0, performance.now()];
  const watch = (): void => {
    rmSync(home.stalledFile, { force: true });
    // Growing session files show that agents without hooks are active.
    const { calls } = keeper.findScan()?.grown ?? { calls: 0 };
    if (calls !== grown) [grown, grownMs] = [calls, performance.now()];
    const settings = findSettings() ?? DEFAULT_SETTINGS;
    http.follow(settings.http.enabled);
    const idleMs = settings.idleExitMinutes * 60_000;
    const lastUsedMs = Math.max(door.lastUsedMs(), http.lastUsedMs(), grownMs);
    if (!lock.isHeld() || performance.now() - lastUsedMs > idleMs) void stop();
  };
  // Hooks can connect by now.
  setImmediate(watch);
  const timer = setInterval(watch, WATCH_MS);
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    clearInterval(timer);
    await leave(parts, door, http);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

function register({ home, id, log }: Parts, door: Door, secrets: Secrets): Registration {
  const registration: Registration = {
    id,
    pid: process.pid,
    port: door.port,
    version: readBuildVersion(import.meta.dirname),
    startedAt: new Date().toISOString(),
    variables: SETTING_KEYS.flatMap(({ variables }) => variables.filter((name) => process.env[name] !== undefined)),
  };
  writeOwnFile(home.registrationFile, `${JSON.stringify(registration, null, 2)}\n`);
  writeOwnFile(home.doorFile, `${door.port} ${secrets.ask} ${secrets.answer}\n`);
  // The daemon has started; if it dies, the next hook may start another at once.
  rmSync(home.startingFile, { force: true });
  log(`started ${registration.version} on port ${door.port}`);
  return registration;
}

/** Does not touch a data directory that was removed or replaced. */
async function leave({ home, lock, log, keeper }: Parts, door: Door, http: HttpListener): Promise<void> {
  if (lock.isHeld()) for (const file of [home.doorFile, toHttpFile(home)]) rmSync(file, { force: true });
  await Promise.all([door.close(), http.close()]);
  if (!lock.isHeld()) return keeper.abandon();
  await keeper.stop();
  if (lock.isHeld()) {
    rmSync(home.registrationFile, { force: true });
    // A daemon that a hook started meanwhile found the lock held and ended, so the next hook may start another at once.
    rmSync(home.startingFile, { force: true });
    log('stopped');
  }
  lock.release();
}

/** With broken settings the daemon still answers from the last manifest; the worker waits for valid settings. */
function openSettings(home: DataHome, log: Log): SettingsFinder {
  const findSettings = makeSettingsFinder(home.configFile, process.env);
  findSettings();
  const fault = findSettings.findFault();
  if (fault !== undefined) log(fault.message);
  return findSettings;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;
/** As long as facts are kept. For an older session, the transcript shows where it began. */
const LONG_MS = 400 * DAY_MS;

/**
 * Removes old claims and marks of ended sessions and bundles of replaced versions. Removal by age needs a trusted clock;
 * otherwise the next start does it.
 */
export function pruneHome(home: DataHome, nowMs = readTrustedNow(home)): void {
  // Drafts of a killed restore: a running one would hold the lock that this daemon has.
  removeRestoreDrafts(home.storeFile);
  if (nowMs === undefined) return;
  for (const dir of [home.claimsDir, home.pastDir]) pruneFolder(dir, nowMs - WEEK_MS);
  // Keep the bundles that this daemon or the hooks run from. A hook that started last week may still use another version.
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
      // The file is gone or cannot be removed; the next start tries again.
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
