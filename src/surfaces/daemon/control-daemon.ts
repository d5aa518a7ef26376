/**
 * Starts, finds and stops the daemon of a data directory, and runs work while no daemon is running. The daemon is asked to
 * stop; only one that does not answer is ended. During the work a lock keeps another daemon from starting.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toReason, UserError } from '../../base/errors.ts';
import { dropAbsent } from '../../base/records.ts';
import { readSettings } from '../../keep/settings/read-settings.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import { type DaemonStatus, type Registration, readRegistration, tryDaemon } from './ask-daemon.ts';
import { type DeployedApp, deployApp } from './deploy-app.ts';
import { holdLock, type Lock } from './locks.ts';
import { DaemonError, endSilent, findSilent, type SilentDaemon, toSilentError } from './silent-daemon.ts';

/** A busy machine starts a process slowly; a daemon that cannot start is told apart by its log, not by haste. */
const START_MS = 30_000;
/** Longer than the worker needs to finish. */
const STOP_MS = 20_000;
const STEP_MS = 50;
const AGAIN_MS = 500;
/** A running daemon answers in milliseconds, and within seconds on a machine that is very busy. */
const ANSWER_MS = 6_000;

interface FoundDaemon {
  readonly daemon?: DaemonStatus;
  /** A daemon that runs, but does not answer. */
  readonly silent?: SilentDaemon;
}

export async function lookForDaemon(home: DataHome): Promise<FoundDaemon> {
  const { answer, isSilent } = await tryDaemon<DaemonStatus>(home, 'status', ANSWER_MS);
  return dropAbsent({ daemon: answer, silent: isSilent ? findSilent(home) : undefined });
}

export async function findDaemon(home: DataHome): Promise<DaemonStatus | undefined> {
  return (await lookForDaemon(home)).daemon;
}

/** Finds or starts a daemon of this version; a daemon of another version is replaced. `env`: of a daemon that it starts. */
export async function ensureDaemon(
  home: DataHome,
  env = process.env,
  patienceMs = START_MS,
): Promise<{ readonly daemon: DaemonStatus; readonly started: boolean }> {
  // Report invalid settings now, because the daemon could only log them.
  readSettings(home.configFile, env);
  const app = deploy(home);
  const found = await getDaemon(home);
  if (found?.version === app.version) return { daemon: found, started: false };
  if (found !== undefined) await stopDaemon(home);
  rmSync(home.startingFile, { force: true });
  const daemon = await startDaemon(home, app, { env, patienceMs });
  if (daemon !== undefined) return { daemon, started: true };
  throw new DaemonError({
    subject: 'the daemon',
    reason: `did not start within ${patienceMs / 1000} s`,
    next: `read ${home.logFile}, then run the command again`,
  });
}

/** Undefined if none runs. Throws if one runs that does not answer, because no other could start. */
async function getDaemon(home: DataHome): Promise<DaemonStatus | undefined> {
  const { daemon, silent } = await lookForDaemon(home);
  if (silent === undefined) return daemon;
  throw toSilentError(silent, 'end it: oncebitten daemon stop; then run the command again');
}

function deploy(home: DataHome): DeployedApp {
  if (sep !== '\\' && home.dir.includes('\\'))
    throw new DaemonError({
      subject: home.dir,
      reason: 'contains a backslash, and Node cannot load programs from such a folder',
      next: 'name another folder with --home',
    });
  try {
    return deployApp(home);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new DaemonError({
      subject: home.dir,
      reason: `cannot be written (${toReason(cause)})`,
      next: 'check its permissions and that its disk has space, or name another folder with --home',
      cause,
    });
  }
}

/**
 * Starts the daemon again if it ended at once because another daemon held the lock: one that was stopping, or one of
 * another version that was still starting when the running one was stopped. The latter is replaced, too.
 */
async function startDaemon(
  home: DataHome,
  app: DeployedApp,
  { env, patienceMs }: { readonly env: NodeJS.ProcessEnv; readonly patienceMs: number },
): Promise<DaemonStatus | undefined> {
  let child: ChildProcess | undefined;
  let startedMs = Number.NEGATIVE_INFINITY;
  return waitFor(async () => {
    const isOver = child === undefined || child.exitCode !== null || child.signalCode !== null;
    if (isOver && performance.now() - startedMs > AGAIN_MS) {
      startedMs = performance.now();
      child = spawnDaemon(home, app, env);
    }
    const found = await getDaemon(home);
    if (found === undefined || found.version === app.version) return found;
    await stopDaemon(home);
    return undefined;
  }, patienceMs);
}

function spawnDaemon(home: DataHome, app: DeployedApp, env: NodeJS.ProcessEnv): ChildProcess {
  const script = join(app.dir, 'daemon.mjs');
  const child = spawn(process.execPath, [script, '--home', home.dir], {
    detached: true,
    stdio: 'ignore',
    cwd: home.dir,
    env: toDaemonEnvironment(env),
  });
  child.on('error', () => {});
  child.unref();
  return child;
}

/**
 * Removes variables that make Node, OpenSSL or bash load code: they are meant for programs in this shell, but the daemon
 * serves every project. The shim removes the same variables.
 */
function toDaemonEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:(?:NODE|OPENSSL)_|(?:BASH_)?ENV$)/.test(name)),
  );
}

/** A daemon that does not answer is ended by a signal. Undefined if none was running. */
export async function stopDaemon(home: DataHome): Promise<'when asked' | 'by a signal' | undefined> {
  const { answer: stopped, isSilent } = await tryDaemon<Registration>(home, 'stop', ANSWER_MS);
  const silent = isSilent ? findSilent(home) : undefined;
  if (silent !== undefined) await endSilent(home, silent);
  if (stopped === undefined) return silent === undefined ? undefined : 'by a signal';
  const gone = await waitFor(
    async () => (readRegistration(home.registrationFile)?.id === stopped.id ? undefined : true),
    STOP_MS,
  );
  if (gone) return 'when asked';
  throw new UserError({
    subject: `the daemon (process ${stopped.pid})`,
    reason: 'was asked to stop, but is still running',
    next: `wait a moment and try again, or end process ${stopped.pid}; nothing is lost, events wait in ${home.spoolDir}`,
  });
}

async function waitFor<T>(look: () => Promise<T | undefined>, patienceMs: number): Promise<T | undefined> {
  // By the clock, because each look may take seconds.
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; ) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(STEP_MS);
  }
  return undefined;
}

/** Long enough to stop a daemon, and one that a hook started meanwhile. */
const WAIT_MS = 30_000;

interface WithoutDaemon<T> {
  readonly done: T;
  /** Why the daemon could not be started again. */
  readonly trouble?: string;
}

/** Runs work without a daemon: stops the running one, and keeps another from starting meanwhile. */
export async function withoutDaemon<T>(home: DataHome, work: () => Promise<T>): Promise<WithoutDaemon<T>> {
  const { lock, wasRunning } = await takeOver(home);
  try {
    const done = await work();
    lock.release();
    return { done, ...(wasRunning ? await restart(home) : {}) };
  } catch (error) {
    lock.release();
    if (wasRunning) await restart(home);
    throw error;
  }
}

/** A hook may start a new daemon before the lock is taken; then that daemon is asked to stop, too. */
async function takeOver(home: DataHome): Promise<{ lock: Lock; wasRunning: boolean }> {
  let wasRunning = false;
  for (const endMs = performance.now() + WAIT_MS; performance.now() < endMs; ) {
    wasRunning = (await stopDaemon(home)) !== undefined || wasRunning;
    const lock = holdLock(home.lockFile);
    if (lock !== undefined) return { lock, wasRunning };
    await sleep(STEP_MS);
  }
  throw new UserError({
    subject: home.lockFile,
    reason: 'is held by a daemon that does not answer',
    next: `wait a moment and try again; see ${home.logFile}`,
  });
}

async function restart(home: DataHome): Promise<{ trouble?: string }> {
  try {
    await ensureDaemon(home);
    return {};
  } catch (error) {
    return { trouble: toReason(error) };
  }
}
