/** What a test knows of a daemon from outside: its files, its process, what it has stored. */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredCall } from '../../src/base/model/call.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { DataHome } from '../../src/loop/home/data-home.ts';
import { askDaemon, readRegistration } from '../../src/surfaces/daemon/ask-daemon.ts';
import { stopDaemon } from '../stop-daemon.ts';

const HANG_MS = 90_000;
/** Nobody's own sessions come into a test. */
const NO_SCAN = { ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0' };

export interface DaemonProcess {
  readonly pid: number;
  /** Resolves when it has ended, by whatever. */
  readonly ended: Promise<void>;
}

/** Runs the deployed daemon itself, as a hook would. */
export function spawnDaemon(
  home: DataHome,
  options: { node?: readonly string[]; args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): DaemonProcess {
  const script = join(readAppDir(home), 'daemon.mjs');
  const args = [...(options.node ?? []), script, '--home', home.dir, ...(options.args ?? [])];
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    cwd: '/',
    env: options.env ?? { ...process.env, ...NO_SCAN },
  });
  return { pid: child.pid ?? 0, ended: new Promise((done) => child.once('exit', () => done())) };
}

/** The bundles that the shim of this home runs. */
export function readAppDir(home: DataHome): string {
  return /\bapp='([^']+)'/.exec(readFileSync(home.hookFile, 'utf8'))?.[1] ?? '';
}

export function findPid(home: DataHome): number | undefined {
  return readRegistration(home.registrationFile)?.pid;
}

/** Ends the daemon of this home, and those that hooks have started but that have not come up yet. */
export async function stopAllDaemons(home: DataHome): Promise<void> {
  await waitUntil('no daemon runs or is about to', async () => {
    await stopDaemon(home.dir);
    const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' });
    return !stdout.split('\n').some((line) => /\bdaemon\.[cm]js\b/.test(line) && line.includes(home.dir));
  });
}

export function kill(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // It was faster.
  }
}

export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + HANG_MS;
  for (;;) {
    const startedMs = performance.now();
    if (await isSo()) return;
    if (Date.now() > deadline) throw new Error(`in vain: ${what}`);
    // Most of the time belongs to the process that is waited for, not to the look at it.
    await sleep(Math.min(200, Math.max(20, 4 * (performance.now() - startedMs))));
  }
}

/** Everything that waits is in the store: nothing in memory, journal or spool. */
export async function settle(home: DataHome): Promise<void> {
  await waitUntil('everything is stored', async () => {
    const answer = await askDaemon<{ flushed: boolean }>(home, 'flush');
    return answer?.flushed === true && listWaiting(home).length === 0;
  });
}

export function listWaiting(home: DataHome): readonly string[] {
  try {
    return readdirSync(home.spoolDir).filter((name) => /\.(fact|journal)$/.test(name));
  } catch {
    return [];
  }
}

export async function readCalls(home: DataHome, sessionId?: string): Promise<readonly StoredCall[]> {
  const store = await openSqliteStore(home.storeFile);
  try {
    return await store.listCalls(sessionId === undefined ? {} : { sessionId });
  } finally {
    await store.close();
  }
}
