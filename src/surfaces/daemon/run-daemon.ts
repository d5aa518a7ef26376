/** The daemon's life: hold the lock, open the door, register, answer, and leave nothing behind. */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { toReason } from '../../base/errors.ts';
import { makeId } from '../../base/ids.ts';
import { DEFAULT_SETTINGS } from '../../base/settings.ts';
import { makeSettingsFinder, type SettingsFinder } from '../../keep/make-settings-finder.ts';
import { SETTING_KEYS } from '../../keep/setting-keys.ts';
import type { DataHome } from '../data-home.ts';
import { CONTROL_AGENT, type Header } from '../hook/wire-protocol.ts';
import { readBuildVersion } from '../package-root.ts';
import { writeOwnFile } from '../write-own-file.ts';
import { makeHookAnswerer } from './answer-hook.ts';
import type { AnswerAll, StreamMessage } from './converse-stream.ts';
import { mendStarters } from './deploy-app.ts';
import { holdLock, type Lock } from './hold-lock.ts';
import { type Keeper, openKeeper } from './open-keeper.ts';
import { type Log, openLog } from './open-log.ts';
import { openTroubles, type Troubles } from './open-troubles.ts';
import { pruneHome } from './prune-home.ts';
import type { DaemonStatus, Registration } from './registration.ts';
import { type Answer, type Door, type Secrets, serveHooks } from './serve-hooks.ts';

export interface DaemonOptions {
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
/** How often it looks whether its data directory is still there. */
const WATCH_MS = 1_000;

export async function runDaemon(home: DataHome, options: DaemonOptions = {}): Promise<void> {
  const lock = holdLock(home.lockFile);
  if (lock === undefined) {
    // Whoever holds it came up: should it die, the note of this start must not keep hooks from starting another.
    if (existsSync(home.doorFile)) rmSync(home.startingFile, { force: true });
    return;
  }
  const id = makeId('dmn', Date.now());
  const log = openLog(home.logFile);
  // Hooks may have had to look for a Node or for the data directory itself: the next one need not. Before old bundles are
  // removed, because the hooks' own are known by the path that is written here.
  try {
    const { movedFrom, goneNode } = mendStarters(home);
    if (movedFrom !== undefined)
      log(`the data directory was moved here from ${movedFrom}: hooks use the new place now`);
    if (goneNode !== undefined) log(`hooks use ${process.execPath} now: the Node that they used is gone`);
  } catch (error) {
    // On a full or read-only disk: hooks go on looking for themselves, and the daemon serves them all the same.
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
  const answerer = makeHookAnswerer({ home, journal: keeper, handOn: keeper.handOn, log, findSettings });
  // Not the time of day, which may be set back.
  let lastUsedMs = performance.now();

  const control = async (request: string): Promise<unknown> => {
    if (request === 'flush') return { flushed: await keeper.flush() };
    if (request === 'stop') setImmediate(stop);
    const [owner, scan] = [keeper.findOwner(), keeper.findScan()];
    return {
      ...registration,
      troubles: troubles.list(),
      ...(owner === undefined ? {} : { owner }),
      ...(scan === undefined ? {} : { scan }),
    } satisfies DaemonStatus;
  };
  const answer: Answer = async (header: Header, payload: unknown) => {
    if (header.agent === CONTROL_AGENT) return JSON.stringify(await control(header.event));
    lastUsedMs = performance.now();
    return answerer.answer(header, payload);
  };
  const answerAll: AnswerAll = (header, messages) => {
    lastUsedMs = performance.now();
    const one = ({ event, payload }: StreamMessage): string => answerer.answer({ ...header, event }, payload);
    return { lines: keeper.together(() => answerer.together(() => messages.map(one))), delay: keeper.findDelay() };
  };
  const door = await serveHooks(secrets, { answer, answerAll });
  const registration = register(parts, door, secrets);
  let grown = 0;
  const watch = (): void => {
    rmSync(home.stalledFile, { force: true });
    // Agents without our hooks are at work where their files grow.
    const { calls } = keeper.findScan()?.grown ?? { calls: 0 };
    if (calls !== grown) lastUsedMs = performance.now();
    grown = calls;
    const idleMs = (findSettings() ?? DEFAULT_SETTINGS).idleExitMinutes * 60_000;
    if (!lock.isHeld() || performance.now() - lastUsedMs > idleMs) void stop();
  };
  const timer = setInterval(watch, WATCH_MS);
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    clearInterval(timer);
    await leave(parts, door);
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
  // It came up: should it die, the next hook may start another at once.
  rmSync(home.startingFile, { force: true });
  log(`started ${registration.version} on port ${door.port}`);
  return registration;
}

/** A data directory that is gone, or another one by now, is left alone: its files are somebody else's. */
async function leave({ home, lock, log, keeper }: Parts, door: Door): Promise<void> {
  if (lock.isHeld()) rmSync(home.doorFile, { force: true });
  await door.close();
  if (!lock.isHeld()) return keeper.abandon();
  await keeper.stop();
  if (lock.isHeld()) {
    rmSync(home.registrationFile, { force: true });
    log('stopped');
  }
  lock.release();
}

/** With settings that are broken it answers all the same, from the last manifest; the worker waits for them. */
function openSettings(home: DataHome, log: Log): SettingsFinder {
  const findSettings = makeSettingsFinder(home.configFile, process.env);
  findSettings();
  const fault = findSettings.findFault();
  if (fault !== undefined) log(fault.message);
  return findSettings;
}
